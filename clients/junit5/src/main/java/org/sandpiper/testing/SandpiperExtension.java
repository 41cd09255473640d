package org.sandpiper.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Starts a Sandpiper search service for the tests of a class (static field) or for each test (instance field), on a free port
 * with data in a temporary folder.
 */
public final class SandpiperExtension
        implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback {
    private static final Pattern ADDRESS = Pattern.compile("address\\s+(https?://\\S+)");
    private static final int STOP_SECONDS = 20;

    private Process process;
    private Path folder;
    private String url;
    private boolean startedForClass;

    /** The address of the service, such as {@code http://127.0.0.1:40123}. */
    public String url() {
        if (url == null) throw new IllegalStateException("the service runs only during tests");
        return url;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        start();
        startedForClass = true;
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        if (!startedForClass) start();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        if (!startedForClass) stop();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        stop();
    }

    private void start() {
        String setting = System.getenv().getOrDefault("SANDPIPER_COMMAND", "sandpiper");
        List<String> command = new ArrayList<>(Arrays.asList(setting.trim().split("\\s+")));
        try {
            folder = Files.createTempDirectory("sandpiper-");
            command.addAll(List.of("serve", "--port", "0", "--data", folder.resolve("data").toString()));
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
            url = readAddress();
        } catch (IOException error) {
            throw new UncheckedIOException(
                    "cannot run " + command.get(0) + ": install it with `npm install -g sandpiper-search`, or set SANDPIPER_COMMAND",
                    error);
        }
    }

    private String readAddress() throws IOException {
        var output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        var printed = new StringBuilder();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            printed.append(line).append('\n');
            Matcher match = ADDRESS.matcher(line);
            if (match.find()) {
                drain(output);
                return match.group(1);
            }
        }
        stop();
        throw new IOException("the service did not start:\n" + printed);
    }

    /** Whatever the service prints later must be read, or it would wait for the pipe. */
    private static void drain(BufferedReader output) {
        Thread reader = new Thread(() -> readToEnd(output), "sandpiper output");
        reader.setDaemon(true);
        reader.start();
    }

    private static void readToEnd(BufferedReader output) {
        try {
            while (output.readLine() != null) continue;
        } catch (IOException closed) {
            // Java closes the stream when it ends the process.
        }
    }

    private void stop() {
        if (process == null) return;
        process.destroy();
        try {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) process.destroyForcibly().waitFor();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        process = null;
        url = null;
        deleteFolder();
    }

    private void deleteFolder() {
        try (var paths = Files.walk(folder)) {
            paths.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }
}
