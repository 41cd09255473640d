"""A scenario of the Python DSL: documents, searches, aggregations, facets, paging, suggestions, updates by query, sync and async.

    python python_dsl.py MODULE URL

MODULE is `elasticsearch.dsl` or `elasticsearch_dsl`. Prints one line of JSON per step: {"step", "ok", "error"?}.
"""
import asyncio
import importlib
import json
import sys
from datetime import datetime, timezone
from ipaddress import ip_address

module_name, url = sys.argv[1], sys.argv[2]
dsl = importlib.import_module(module_name)
from elasticsearch import ConflictError, NotFoundError  # noqa: E402

connection = dsl.connections.create_connection(hosts=[url])
steps = []


def step(name):
    def add(work):
        steps.append((name, work))
        return work

    return add


english = dsl.analyzer("scenario_english", tokenizer="standard", filter=["lowercase", "snowball"])


class Person(dsl.InnerDoc):
    name = dsl.Text(fields={"raw": dsl.Keyword()})


class Note(dsl.InnerDoc):
    text = dsl.Text()
    written = dsl.Date()
    by = dsl.Object(Person)


class Album(dsl.Document):
    title = dsl.Text(analyzer=english)
    label = dsl.Keyword()
    tracks = dsl.Long()
    released = dsl.Date()
    artist = dsl.Object(Person)
    notes = dsl.Nested(Note)
    hint = dsl.Completion()

    class Index:
        name = "clients-dsl-albums"
        settings = {"number_of_shards": 2, "number_of_replicas": 0}


class Values(dsl.Document):
    i = dsl.Long()
    b = dsl.Boolean()
    d = dsl.Double()
    raw = dsl.Binary()
    ip = dsl.Ip()

    class Index:
        name = "clients-dsl-values"


COUNT = 60


def albums():
    for n in range(COUNT):
        yield Album(
            meta={"id": str(n)},
            title=f"{'singing' if n % 3 == 0 else 'quiet'} birds volume {n}",
            label="abc"[n % 3],
            tracks=n,
            released=datetime(2020, 1 + n % 12, 1 + n % 28, tzinfo=timezone.utc),
            artist=Person(name=f"Band {n % 5}"),
            notes=[Note(text="a fine record" if n % 2 else "a dull record", written=datetime(2021, 1, 1), by=Person(name="Ada"))],
            hint=[f"volume {n}"],
        )


@step("init creates index and mapping, and is repeatable")
def _():
    for document in (Album, Values):
        document._index.delete(ignore_unavailable=True)
        document.init()
        document.init()
    mapping = dsl.Mapping.from_es(index="clients-dsl-albums")
    assert mapping.resolve_field("artist.name.raw") is not None
    assert "scenario_english" in json.dumps(connection.indices.get_settings(index="clients-dsl-albums").body)


@step("bulk saves documents")
def _():
    if hasattr(Album, "bulk"):
        done, errors = Album.bulk(albums(), refresh=True)
        assert (done, errors) == (COUNT, [])
    else:
        for album in albums():
            album.save()
    Album._index.refresh()
    assert Album.search().count() == COUNT


@step("values of every kind come back as they were")
def _():
    connection.index(index="clients-dsl-values", id="1", document={"i": [1, "2", None], "b": [True, "false", None], "d": ["-0.5", None], "raw": ["aGk=", None], "ip": ["::1", "127.0.0.1"]}, refresh=True)
    found = Values.get(id="1")
    assert found.i == [1, 2, None] and found.b == [True, False, None] and found.d == [-0.5, None]
    assert found.raw == [b"hi", None] and found.ip == [ip_address("::1"), ip_address("127.0.0.1")]


@step("get, exists, mget and missing documents")
def _():
    assert Album.get(id="7").tracks == 7 and Album.exists(id="7") and not Album.exists(id="none")
    assert Album.get(id="none", ignore=404) is None if module_name == "elasticsearch_dsl" else Album.get(id="none", using=connection.options(ignore_status=404)) is None
    assert [one and one.meta.id for one in Album.mget(["1", "none", "2"])] == ["1", None, "2"]
    assert [one.meta.id for one in Album.mget(["1", "none"], missing="skip")] == ["1"]
    for work in (lambda: Album.mget(["none"], missing="raise"), lambda: Album.get(id="none")):
        try:
            work()
            raise AssertionError("no error")
        except NotFoundError:
            pass


@step("update by members, by script and with conflicts")
def _():
    album = Album.get(id="3")
    assert album.update(label="z", refresh=True) == "updated"
    album.update(script="ctx._source.tracks += params.more", more=5)
    assert Album.get(id="3").tracks == 8
    first, second = Album.get(id="4"), Album.get(id="4")
    first.update(script="ctx._source.tracks += 1", refresh=True)
    try:
        second.update(script="ctx._source.tracks += 1")
        raise AssertionError("no conflict")
    except ConflictError:
        pass
    meta = album.save(return_doc_meta=True, refresh=True)
    assert set(meta.keys()) >= {"_id", "_index", "_primary_term", "_seq_no", "_shards", "_version", "result"}


@step("search with match, filter, highlight, source and sort")
def _():
    search = Album.search().query("match", title="sing bird").filter("range", tracks={"gte": 10}).highlight("title").source(["title"]).sort("-tracks")
    response = search[:5].execute()
    assert response.success() and response.hits.total.value == COUNT - 10, response.hits.total.value
    assert response[0].meta.highlight.title[0].count("<em>") >= 1
    assert "label" not in response[0].to_dict()


@step("inner hits of nested documents")
def _():
    query = dsl.Q("nested", path="notes", query=dsl.Q("match", notes__text="fine"), inner_hits={})
    response = Album.search().query(query).execute()
    note = response[0].meta.inner_hits.notes[0]
    assert isinstance(note, Note) and note.by.name == "Ada"


@step("scan, slices, search_after, point in time and iterate give every document")
def _():
    ids = {str(n) for n in range(COUNT)}
    assert {one.meta.id for one in Album.search().params(size=7).scan()} == ids
    assert len(Album.search()[10:25].execute()) == 15
    found, search = [], Album.search().sort("tracks", "label")[:7]
    while True:
        page = search.execute()
        found += [one.meta.id for one in page]
        if len(page) < 7:
            break
        search = search.search_after()
    assert set(found) == ids and len(found) == COUNT
    if hasattr(dsl.Search, "iterate"):
        assert {one.meta.id for one in Album.search().iterate()} == ids


@step("multi search, also with a missing index")
def _():
    multi = dsl.MultiSearch().add(Album.search()).add(dsl.Search(index="clients-dsl-values"))
    first, second = multi.execute()
    assert first.hits.total.value == COUNT and second.hits.total.value == 1
    third = multi.add(dsl.Search(index="clients-dsl-nothing")).execute(raise_on_error=False)
    assert third[2] is None


@step("aggregations with buckets, metrics, pipelines and top hits")
def _():
    search = Album.search()[:0]
    by_label = search.aggs.bucket("labels", "terms", field="label", order={"_key": "asc"})
    by_label.metric("tracks", "stats", field="tracks").metric("best", "top_hits", size=1, sort=[{"tracks": "desc"}])
    search.aggs.bucket("months", "date_histogram", field="released", calendar_interval="month").metric("sum", "sum", field="tracks").pipeline("total", "cumulative_sum", buckets_path="sum")
    search.aggs.bucket("parts", "filters", filters={"low": dsl.Q("range", tracks={"lt": 30}), "high": dsl.Q("range", tracks={"gte": 30})})
    search.aggs.bucket("inside", "nested", path="notes").bucket("words", "filter", dsl.Q("match", notes__text="fine"))
    search.aggs.metric("tracks", "sum", field="tracks")
    response = search.execute()
    labels = response.aggregations.labels.buckets
    assert [one.key for one in labels] == ["a", "b", "c", "z"]
    assert isinstance(labels[0].best[0], Album)
    assert response.aggregations.months.buckets[-1].total.value == response.aggregations.tracks.value
    assert response.aggregations.parts.buckets.high.doc_count == 30
    assert response.aggregations.inside.words.doc_count == COUNT // 2


@step("composite aggregations page to the end")
def _():
    found, after = [], {}
    while True:
        search = Album.search()[:0]
        search.aggs.bucket("pages", "composite", size=4, sources=[{"artist": {"terms": {"field": "artist.name.raw"}}}, {"label": {"terms": {"field": "label"}}}], **after)
        result = search.execute().aggregations.pages
        found += [(one.key.artist, one.key.label) for one in result.buckets]
        if "after_key" not in result:
            break
        after = {"after": result.after_key.to_dict()}
    assert len(found) == len(set(found)) == 16, len(found)


@step("faceted search")
def _():
    class Albums(dsl.FacetedSearch):
        index = "clients-dsl-albums"
        fields = ["title"]
        facets = {
            "label": dsl.TermsFacet(field="label"),
            "year": dsl.DateHistogramFacet(field="released", calendar_interval="year"),
            "size": dsl.RangeFacet(field="tracks", ranges=[("few", (None, 20)), ("many", (20, None))]),
            "artist": dsl.TermsFacet(field="artist.name.raw"),
        }

    response = Albums("singing", filters={"label": "a"}).execute()
    assert response.hits.total.value == 19
    assert [(name, chosen) for name, _, chosen in response.facets.label][0] == ("a", True)
    assert [name for name, _, _ in response.facets.size] == ["few", "many"]
    assert response.facets.year[0][0].year == 2020


@step("suggestions of completions and terms")
def _():
    search = Album.search().suggest("auto", "volume 1", completion={"field": "hint", "size": 3}).suggest("words", "singign", term={"field": "title", "suggest_mode": "always"})
    response = search.execute()
    assert len(response.suggest.auto[0].options) == 3
    assert response.suggest.words[0].text == "singign"


@step("update and delete by query")
def _():
    response = dsl.UpdateByQuery(index="clients-dsl-albums").filter("term", label="b").script(source="ctx._source.label = params.to", params={"to": "bb"}).params(refresh=True).execute()
    assert response.success() and response.updated == 20, response.to_dict()
    deleted = Album.search().filter("term", label="bb").params(refresh=True).delete()
    assert deleted.deleted == 20 and Album.search().count() == COUNT - 20


@step("index templates, aliases and clones of an index")
def _():
    template = Album._index.as_composable_template("clients-dsl-template", "clients-dsl-albums-*") if hasattr(Album._index, "as_composable_template") else Album._index.as_template("clients-dsl-template", "clients-dsl-albums-*")
    template.save()
    index = dsl.Index("clients-dsl-albums-1")
    index.delete(ignore_unavailable=True)
    index.create()
    assert "hint" in index.get_mapping()["clients-dsl-albums-1"]["mappings"]["properties"]
    index.put_alias(name="clients-dsl-alias")
    assert index.exists_alias(name="clients-dsl-alias")
    index.delete()
    assert not index.exists()


@step("async documents, scans and searches")
def _():
    async def run():
        from elasticsearch import AsyncElasticsearch

        client = AsyncElasticsearch(url)
        dsl.async_connections.add_connection("default", client)

        class Thing(dsl.AsyncDocument):
            n = dsl.Integer()

            class Index:
                name = "clients-dsl-things"

        try:
            await Thing._index.delete(ignore_unavailable=True)
            await Thing.init()
            for n in range(20):
                await Thing(meta={"id": str(n)}, n=n).save()
            await Thing._index.refresh()
            assert (await Thing.get(id="5")).n == 5
            assert sorted([one.n async for one in Thing.search().scan()]) == list(range(20))
            search = Thing.search()[:0]
            search.aggs.metric("sum", "sum", field="n")
            assert (await search.execute()).aggregations.sum.value == 190
            thing = await Thing.get(id="5")
            await thing.update(n=50)
            await thing.delete()
            assert not await Thing.exists(id="5")
        finally:
            await client.close()

    asyncio.run(run())


for name, work in steps:
    try:
        work()
        print(json.dumps({"step": name, "ok": True}), flush=True)
    except Exception as error:  # a failed step is a result
        print(json.dumps({"step": name, "ok": False, "error": f"{type(error).__name__}: {error}"[:400]}), flush=True)
