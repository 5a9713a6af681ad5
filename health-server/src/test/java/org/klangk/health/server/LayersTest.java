package org.klangk.health.server;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import org.klangk.health.testing.MainClasses;

@AnalyzeClasses(packages = "org.klangk.health", importOptions = MainClasses.class)
class LayersTest {
    @ArchTest
    static final ArchRule no_circle_between_server_packages =
            slices().matching("org.klangk.health.server.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule no_circle_between_transport_packages =
            slices().matching("org.klangk.health.transport.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule transport_knows_no_server = noClasses()
            .that()
            .resideInAPackage("org.klangk.health.transport..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.klangk.health.server..");

    @ArchTest
    static final ArchRule core_knows_neither = noClasses()
            .that()
            .resideOutsideOfPackages("org.klangk.health.transport..", "org.klangk.health.server..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.klangk.health.transport..", "org.klangk.health.server..");
}
