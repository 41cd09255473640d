"""A scenario of the Python clients: documents, bulk helpers, scans, searches, paging, aggregations, by-query, errors.

    python python.py MODULE URL [AUTH-JSON]

MODULE is `elasticsearch` or `opensearchpy`. Prints one line of JSON per step: {"step", "ok", "error"?}.
"""
import importlib
import json
import sys

module_name, url = sys.argv[1], sys.argv[2]
auth = json.loads(sys.argv[3]) if len(sys.argv) > 3 else {}
module = importlib.import_module(module_name)
helpers = importlib.import_module(f"{module_name}.helpers")
is_opensearch = module_name == "opensearchpy"
client = (module.OpenSearch if is_opensearch else module.Elasticsearch)(url, **auth)

BOOKS = "real-py-books"
DOCUMENTS = 300
steps = []


def step(name):
    def add(work):
        steps.append((name, work))
        return work

    return add


@step("info and ping")
def _():
    assert client.info()["version"]["number"]
    assert client.ping()


@step("create an index")
def _():
    client.indices.delete(index=BOOKS, ignore_unavailable=True)
    properties = {"title": {"type": "text"}, "genre": {"type": "keyword"}, "n": {"type": "integer"}}
    client.indices.create(index=BOOKS, body={"settings": {"number_of_shards": 2}, "mappings": {"properties": properties}})
    assert client.indices.exists(index=BOOKS)


@step("helpers.bulk")
def _():
    actions = (
        {"_index": BOOKS, "_id": str(i), "_source": {"title": f"book {i}", "genre": "ab"[i % 2], "n": i}}
        for i in range(DOCUMENTS)
    )
    done, errors = helpers.bulk(client, actions, refresh=True)
    assert (done, errors) == (DOCUMENTS, [])


@step("helpers.streaming_bulk reports failures per document")
def _():
    actions = [{"_index": BOOKS, "_id": "bad", "_source": {"n": "text"}}, {"_index": BOOKS, "_id": "1", "_source": {"title": "book 1", "genre": "b", "n": 1}}]
    results = list(helpers.streaming_bulk(client, actions, raise_on_error=False, refresh=True))
    assert [ok for ok, _ in results] == [False, True]


@step("helpers.parallel_bulk")
def _():
    actions = ({"_index": BOOKS + "-2", "_source": {"n": i}} for i in range(100))
    assert all(ok for ok, _ in helpers.parallel_bulk(client, actions, chunk_size=20, thread_count=2))
    client.indices.delete(index=BOOKS + "-2")


@step("helpers.scan")
def _():
    seen = {hit["_id"] for hit in helpers.scan(client, index=BOOKS, query={"query": {"match_all": {}}}, size=70)}
    assert len(seen) == DOCUMENTS


@step("helpers.reindex")
def _():
    helpers.reindex(client, BOOKS, BOOKS + "-copy")
    client.indices.refresh(index=BOOKS + "-copy")
    assert client.count(index=BOOKS + "-copy")["count"] == DOCUMENTS
    client.indices.delete(index=BOOKS + "-copy")


@step("get, update, delete")
def _():
    assert client.get(index=BOOKS, id="7")["_source"]["n"] == 7
    client.update(index=BOOKS, id="7", body={"script": {"source": "ctx._source.n = 70"}}, refresh=True)
    assert client.get(index=BOOKS, id="7")["_source"]["n"] == 70
    client.update(index=BOOKS, id="7", body={"doc": {"n": 7}}, refresh=True)
    client.index(index=BOOKS, id="x", body={"n": 1000}, refresh=True)
    assert client.delete(index=BOOKS, id="x", refresh=True)["result"] == "deleted"


@step("search, sort, aggregations")
def _():
    body = {
        "query": {"term": {"genre": "a"}},
        "sort": [{"n": "desc"}],
        "aggs": {"genres": {"terms": {"field": "genre"}}, "n": {"stats": {"field": "n"}}},
    }
    answer = client.search(index=BOOKS, body=body)
    assert answer["hits"]["total"]["value"] == DOCUMENTS // 2
    assert answer["aggregations"]["genres"]["buckets"][0]["key"] == "a"


@step("composite to the end")
def _():
    after, count = None, 0
    while True:
        composite = {"size": 50, "sources": [{"n": {"terms": {"field": "n"}}}]}
        if after is not None:
            composite["after"] = after
        answer = client.search(index=BOOKS, body={"size": 0, "aggs": {"all": {"composite": composite}}})
        count += len(answer["aggregations"]["all"]["buckets"])
        after = answer["aggregations"]["all"].get("after_key")
        if after is None:
            break
    assert count == DOCUMENTS


if not is_opensearch:

    @step("point in time and search_after to the end")
    def _():
        pit = client.open_point_in_time(index=BOOKS, keep_alive="1m")["id"]
        seen, after = set(), None
        while True:
            body = {"size": 80, "pit": {"id": pit, "keep_alive": "1m"}, "sort": [{"genre": "asc"}]}
            if after is not None:
                body["search_after"] = after
            hits = client.search(body=body)["hits"]["hits"]
            if not hits:
                break
            seen.update(hit["_id"] for hit in hits)
            after = hits[-1]["sort"]
        assert len(seen) == DOCUMENTS
        client.close_point_in_time(body={"id": pit})

    @step("runtime fields")
    def _():
        runtime = {"half": {"type": "long", "script": "emit(doc['n'].value / 2)"}}
        body = {"size": 0, "runtime_mappings": runtime, "aggs": {"m": {"max": {"field": "half"}}}}
        assert client.search(index=BOOKS, body=body)["aggregations"]["m"]["value"] == 149

    @step("asynchronous client")
    def _():
        import asyncio

        async def run():
            other = module.AsyncElasticsearch(url, **auth)
            try:
                return (await other.count(index=BOOKS))["count"]
            finally:
                await other.close()

        assert asyncio.run(run()) == DOCUMENTS


@step("update by query, delete by query, reindex")
def _():
    copied = client.reindex(body={"source": {"index": BOOKS}, "dest": {"index": BOOKS + "-3"}}, refresh=True)
    assert copied["created"] == DOCUMENTS
    script = {"source": "ctx._source.n = -1"}
    body = {"query": {"term": {"genre": "a"}}, "script": script}
    assert client.update_by_query(index=BOOKS + "-3", body=body, refresh=True)["updated"] == DOCUMENTS // 2
    body = {"query": {"term": {"n": -1}}}
    assert client.delete_by_query(index=BOOKS + "-3", body=body, refresh=True)["deleted"] == DOCUMENTS // 2
    client.indices.delete(index=BOOKS + "-3")


@step("ingest, templates, cat, cluster, nodes")
def _():
    client.ingest.put_pipeline(id="real-py", body={"processors": [{"set": {"field": "a", "value": 1}}]})
    client.ingest.delete_pipeline(id="real-py")
    client.indices.put_index_template(name="real-py", body={"index_patterns": ["real-py-none-*"]})
    client.indices.delete_index_template(name="real-py")
    assert "real-py-books" in str(client.cat.indices())
    assert client.cluster.health()["status"]
    assert client.nodes.stats()["nodes"]


@step("errors are the client's own classes")
def _():
    for work, kind in (
        (lambda: client.get(index=BOOKS, id="none"), module.NotFoundError),
        (lambda: client.create(index=BOOKS, id="1", body={}), module.ConflictError),
        (lambda: client.search(index=BOOKS, body={"query": {"nope": {}}}), getattr(module, "BadRequestError", getattr(module, "RequestError", None))),
    ):
        try:
            work()
        except kind:
            continue
        raise AssertionError(f"{kind} was not raised")


@step("delete the index")
def _():
    client.indices.delete(index=BOOKS)
    assert not client.indices.exists(index=BOOKS)


for name, work in steps:
    try:
        work()
        print(json.dumps({"step": name, "ok": True}), flush=True)
    except Exception as error:  # every failure is a line of the report
        print(json.dumps({"step": name, "ok": False, "error": f"{type(error).__name__}: {error}"[:300]}), flush=True)
