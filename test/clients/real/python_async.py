"""A scenario of AsyncElasticsearch and its helpers.

    python python_async.py URL
"""
import sys

from elasticsearch import AsyncElasticsearch, ConflictError, NotFoundError
from elasticsearch.helpers import BulkIndexError, async_bulk, async_reindex, async_scan, async_streaming_bulk
from steps import run_all, step

client = AsyncElasticsearch(sys.argv[1])
INDEX = "real-async"
COUNT = 250


@step("create an index")
async def _():
    await client.options(ignore_status=404).indices.delete(index=INDEX)
    await client.indices.create(index=INDEX, mappings={"properties": {"n": {"type": "integer"}, "k": {"type": "keyword"}}})
    assert await client.indices.exists(index=INDEX)


@step("async_bulk from an asynchronous generator")
async def _():
    async def actions():
        for i in range(COUNT):
            yield {"_index": INDEX, "_id": str(i), "n": i, "k": "ab"[i % 2]}

    assert await async_bulk(client, actions(), refresh=True) == (COUNT, [])


@step("async_streaming_bulk with failures, updates and deletes")
async def _():
    actions = [
        {"_index": INDEX, "_id": "bad", "n": "text"},
        {"_op_type": "update", "_index": INDEX, "_id": "1", "doc": {"k": "c"}},
        {"_op_type": "delete", "_index": INDEX, "_id": "0"},
        {"_op_type": "create", "_index": INDEX, "_id": "2", "n": 2},
    ]
    results = [ok async for ok, _ in async_streaming_bulk(client, actions, raise_on_error=False, refresh=True)]
    assert results == [False, True, True, False], results


@step("async_bulk raises BulkIndexError with the failed documents")
async def _():
    try:
        await async_bulk(client, [{"_index": INDEX, "_id": "bad", "n": "text"}])
    except BulkIndexError as error:
        assert error.errors[0]["index"]["error"]["type"] == "document_parsing_exception"
    else:
        raise AssertionError("no error")


@step("async_scan")
async def _():
    seen = [hit["_id"] async for hit in async_scan(client, index=INDEX, query={"query": {"match_all": {}}}, size=40)]
    assert len(seen) == len(set(seen)) == COUNT - 1


@step("async_reindex with a query")
async def _():
    target = f"{INDEX}-copy"
    await async_reindex(client, INDEX, target, query={"query": {"range": {"n": {"gte": 100}}}})
    await client.indices.refresh(index=target)
    assert (await client.count(index=target))["count"] == COUNT - 100
    await client.indices.delete(index=target)


@step("points in time with search_after")
async def _():
    pit = (await client.open_point_in_time(index=INDEX, keep_alive="1m"))["id"]
    seen, after = 0, None
    while True:
        page = await client.search(pit={"id": pit, "keep_alive": "1m"}, size=60, sort=[{"n": "asc"}], search_after=after)
        hits = page["hits"]["hits"]
        if not hits:
            break
        seen, after = seen + len(hits), hits[-1]["sort"]
    assert seen == COUNT - 1
    assert (await client.close_point_in_time(id=pit))["succeeded"]


@step("aggregations, async search, by-query operations")
async def _():
    answer = await client.search(index=INDEX, size=0, aggs={"k": {"terms": {"field": "k"}}})
    assert {bucket["key"] for bucket in answer["aggregations"]["k"]["buckets"]} == {"a", "b", "c"}
    submitted = await client.async_search.submit(index=INDEX, query={"term": {"k": "b"}}, wait_for_completion_timeout="5s")
    assert submitted["response"]["hits"]["total"]["value"] > 100
    updated = await client.update_by_query(index=INDEX, query={"term": {"k": "c"}}, script={"source": "ctx._source.n = 1000"}, refresh=True)
    assert updated["updated"] == 1
    deleted = await client.delete_by_query(index=INDEX, query={"term": {"n": 1000}}, refresh=True)
    assert deleted["deleted"] == 1


@step("errors are exceptions of their kind")
async def _():
    for work, kind in [
        (client.get(index=INDEX, id="none"), NotFoundError),
        (client.create(index=INDEX, id="5", document={}), ConflictError),
    ]:
        try:
            await work
        except kind:
            continue
        raise AssertionError(kind.__name__)


@step("clean up")
async def _():
    await client.indices.delete(index=f"{INDEX}*")
    await client.close()


run_all()
