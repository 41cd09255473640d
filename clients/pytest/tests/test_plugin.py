def count(sandpiper):
    return sandpiper.request("GET", "/books/_count?ignore_unavailable=true")["count"]


def test_a_document_can_be_indexed_and_found(sandpiper):
    sandpiper.request("PUT", "/books/_doc/1?refresh=true", {"title": "Sandpipers of the world"})
    found = sandpiper.request("GET", "/books/_search?q=title:sandpipers")
    assert found["hits"]["total"]["value"] == 1


def test_the_next_test_starts_empty(sandpiper):
    assert count(sandpiper) == 0
    sandpiper.request("PUT", "/_index_template/logs", {"index_patterns": ["logs-*"], "data_stream": {}})
    sandpiper.request("POST", "/logs-app/_doc?refresh=true", {"@timestamp": "2026-01-01T00:00:00Z"})


def test_data_streams_and_templates_are_gone_too(sandpiper):
    assert sandpiper.request("GET", "/_data_stream")["data_streams"] == []
    assert sandpiper.request("GET", "/_cat/indices?format=json") == []
