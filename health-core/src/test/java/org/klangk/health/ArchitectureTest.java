package org.klangk.health;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import org.klangk.health.testing.MainClasses;

@AnalyzeClasses(packages = "org.klangk.health", importOptions = MainClasses.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule no_circle_between_packages =
            slices().matching("org.klangk.health.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule core_knows_no_transport = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.netty..",
                    "reactor.netty..",
                    "com.fasterxml..",
                    "java.net..",
                    "java.nio.file..",
                    "java.io.File*",
                    "java.sql..");

    @ArchTest
    static final ArchRule only_the_clock_reads_the_clock = noClasses()
            .that()
            .resideOutsideOfPackage("org.klangk.health.time")
            .should()
            .callMethod(java.time.Instant.class, "now")
            .orShould()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(java.time.Clock.class);

    @ArchTest
    static final ArchRule what_is_pure_knows_no_reactor = noClasses()
            .that()
            .resideInAnyPackage("..workspace..", "..event..", "..policy..", "..state..", "..frame..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("reactor..", "org.slf4j..");
}
