package org.klangk.health.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the README shows is what the code accepts. */
class ReadmeTest {
    @TempDir
    private Path folder = Path.of("replaced");

    @Test
    void the_example_of_embedding_compiles() throws IOException {
        String readme = Files.readString(Path.of("../README.md"));
        Matcher block = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL).matcher(readme);
        assertThat(block.find()).isTrue();
        String source = block.group(1);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        SimpleJavaFileObject file =
                new SimpleJavaFileObject(URI.create("string:///Embedded.java"), SimpleJavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return source;
                    }
                };
        List<String> options = List.of("-d", folder.toString(), "-classpath", System.getProperty("java.class.path"));
        boolean compiled =
                compiler.getTask(said, null, null, options, null, List.of(file)).call();
        assertThat(compiled).as(said.toString()).isTrue();
    }
}
