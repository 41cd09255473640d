package org.sandpiper.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SandpiperExtensionTest {
    @RegisterExtension
    static final SandpiperExtension sandpiper = new SandpiperExtension();

    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void aDocumentCanBeIndexedAndFound() throws IOException, InterruptedException {
        var body = HttpRequest.BodyPublishers.ofString("{\"title\":\"Sandpipers of the world\"}");
        var index = HttpRequest.newBuilder(URI.create(sandpiper.url() + "/books/_doc/1?refresh=true"))
                .header("Content-Type", "application/json")
                .PUT(body)
                .build();
        assertEquals(201, client.send(index, HttpResponse.BodyHandlers.ofString()).statusCode());
        var search = HttpRequest.newBuilder(URI.create(sandpiper.url() + "/books/_search?q=title:sandpipers")).build();
        String found = client.send(search, HttpResponse.BodyHandlers.ofString()).body();
        assertTrue(found.contains("\"value\":1"), found);
    }
}
