import co.elastic.clients.elasticsearch.ElasticsearchClient;
import co.elastic.clients.elasticsearch._helpers.bulk.BulkIngester;
import co.elastic.clients.elasticsearch._types.ElasticsearchException;
import co.elastic.clients.elasticsearch._types.Refresh;
import co.elastic.clients.elasticsearch._types.Result;
import co.elastic.clients.elasticsearch._types.SortOrder;
import co.elastic.clients.elasticsearch._types.Time;
import co.elastic.clients.elasticsearch._types.aggregations.CalendarInterval;
import co.elastic.clients.elasticsearch._types.Conflicts;
import co.elastic.clients.elasticsearch.core.BulkRequest;
import co.elastic.clients.json.JsonData;
import co.elastic.clients.json.jackson.JacksonJsonpMapper;
import co.elastic.clients.transport.rest_client.RestClientTransport;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.http.HttpHost;
import org.elasticsearch.client.RestClient;

/** A scenario of elasticsearch-java, whose decoders refuse responses without a required member. Prints one line of JSON per step. */
public class Scenario {
  interface Work {
    void run() throws Exception;
  }

  static final String BOOKS = "clients-java-books";
  static final int COUNT = 200;

  public static class Book {
    public String title;
    public String genre;
    public int pages;
    public String printed;
  }

  static void step(String name, Work work) {
    String error = null;
    try {
      work.run();
    } catch (Throwable reason) {
      error = reason + (reason.getCause() == null ? "" : " because of " + reason.getCause());
    }
    String rest = error == null ? "\"ok\":true" : "\"ok\":false,\"error\":\"" + error.replaceAll("[^ -~]|[\"\\\\]", " ") + "\"";
    System.out.println("{\"step\":\"" + name + "\"," + rest + "}");
  }

  static void check(boolean condition, Object shown) {
    if (!condition) throw new AssertionError(String.valueOf(shown));
  }

  static Book book(int n) {
    Book book = new Book();
    book.title = "book number " + n;
    book.genre = n % 2 == 0 ? "even" : "odd";
    book.pages = n;
    book.printed = "2024-0" + (1 + n % 9) + "-01";
    return book;
  }

  public static void main(String[] args) throws Exception {
    RestClient low = RestClient.builder(HttpHost.create(args[0])).build();
    ElasticsearchClient client = new ElasticsearchClient(new RestClientTransport(low, new JacksonJsonpMapper()));

    step("info and ping", () -> check(client.ping().value() && client.info().version().number() != null, "info"));
    step("create an index", () -> {
      client.indices().delete(d -> d.index(BOOKS).ignoreUnavailable(true));
      client.indices().create(c -> c.index(BOOKS)
          .settings(s -> s.numberOfShards("2").numberOfReplicas("0"))
          .mappings(m -> m.properties("title", p -> p.text(t -> t)).properties("genre", p -> p.keyword(k -> k))
              .properties("pages", p -> p.integer(i -> i)).properties("printed", p -> p.date(d -> d)))
          .aliases("clients-java-alias", a -> a));
      check(client.indices().exists(e -> e.index(BOOKS)).value(), "exists");
    });
    step("index, get, update, delete", () -> {
      check(client.index(i -> i.index(BOOKS).id("x").document(book(1)).refresh(Refresh.True)).result() == Result.Created, "created");
      check(client.get(g -> g.index(BOOKS).id("x"), Book.class).source().pages == 1, "pages");
      client.update(u -> u.index(BOOKS).id("x").doc(Map.of("pages", 5)), Book.class);
      client.update(u -> u.index(BOOKS).id("x").script(s -> s.source("ctx._source.pages += params.n").params("n", JsonData.of(2))), Book.class);
      check(client.get(g -> g.index(BOOKS).id("x"), Book.class).source().pages == 7, "7 pages");
      check(client.delete(d -> d.index(BOOKS).id("x").refresh(Refresh.True)).result() == Result.Deleted, "deleted");
      check(!client.get(g -> g.index(BOOKS).id("x"), Book.class).found(), "found");
    });
    step("bulk", () -> {
      BulkRequest.Builder bulk = new BulkRequest.Builder().refresh(Refresh.True);
      for (int n = 0; n < COUNT / 2; n++) {
        int number = n;
        bulk.operations(o -> o.index(i -> i.index(BOOKS).id(String.valueOf(number)).document(book(number))));
      }
      check(!client.bulk(bulk.build()).errors(), "errors");
    });
    step("BulkIngester", () -> {
      try (BulkIngester<Void> ingester = BulkIngester.of(b -> b.client(client).maxOperations(20))) {
        for (int n = COUNT / 2; n < COUNT; n++) {
          int number = n;
          ingester.add(o -> o.index(i -> i.index(BOOKS).id(String.valueOf(number)).document(book(number))));
        }
      }
      client.indices().refresh(r -> r.index(BOOKS));
      check(client.count(c -> c.index(BOOKS)).count() == COUNT, "count");
    });
    step("search with highlight, sort and source filter", () -> {
      var found = client.search(s -> s.index(BOOKS).query(q -> q.match(m -> m.field("title").query("book")))
          .highlight(h -> h.fields("title", f -> f)).sort(o -> o.field(f -> f.field("pages").order(SortOrder.Desc)))
          .source(f -> f.filter(i -> i.includes("title"))).size(5), Book.class);
      check(found.hits().total().value() == COUNT && found.hits().hits().size() == 5, found.hits().total());
      check(found.hits().hits().get(0).highlight().get("title").get(0).contains("<em>"), "highlight");
    });
    step("scroll and search_after over a point in time", () -> {
      var ids = new TreeSet<String>();
      var page = client.search(s -> s.index(BOOKS).size(30).scroll(Time.of(t -> t.time("1m"))), Book.class);
      String scroll = page.scrollId();
      var hits = page.hits().hits();
      while (!hits.isEmpty()) {
        hits.forEach(hit -> ids.add(hit.id()));
        String id = scroll;
        var next = client.scroll(s -> s.scrollId(id).scroll(Time.of(t -> t.time("1m"))), Book.class);
        scroll = next.scrollId();
        hits = next.hits().hits();
      }
      String last = scroll;
      client.clearScroll(c -> c.scrollId(last));
      check(ids.size() == COUNT, ids.size());
      String pit = client.openPointInTime(o -> o.index(BOOKS).keepAlive(Time.of(t -> t.time("1m")))).id();
      var first = client.search(s -> s.pit(p -> p.id(pit)).size(50).sort(o -> o.field(f -> f.field("pages"))), Book.class);
      var after = first.hits().hits().get(49).sort();
      var second = client.search(s -> s.pit(p -> p.id(pit)).size(50).sort(o -> o.field(f -> f.field("pages"))).searchAfter(after), Book.class);
      check(second.hits().hits().get(0).source().pages == 50, second.hits().hits().get(0).source().pages);
      check(client.closePointInTime(c -> c.id(pit)).succeeded(), "closed");
    });
    step("aggregations", () -> {
      var found = client.search(s -> s.index(BOOKS).size(0)
          .aggregations("genres", a -> a.terms(t -> t.field("genre")).aggregations("pages", p -> p.stats(t -> t.field("pages"))))
          .aggregations("months", a -> a.dateHistogram(d -> d.field("printed").calendarInterval(CalendarInterval.Month)))
          .aggregations("percent", a -> a.percentiles(p -> p.field("pages")))
          .aggregations("ranges", a -> a.range(r -> r.field("pages").ranges(x -> x.to(100.0)).ranges(x -> x.from(100.0))))
          .aggregations("pages", a -> a.composite(c -> c.size(10).sources(List.of(Map.of("genre", co.elastic.clients.elasticsearch._types.aggregations.CompositeAggregationSource.of(x -> x.terms(t -> t.field("genre")))))))), Void.class);
      var genres = found.aggregations().get("genres").sterms().buckets().array();
      check(genres.size() == 2 && genres.get(0).aggregations().get("pages").stats().count() == COUNT / 2, genres);
      check(found.aggregations().get("months").dateHistogram().buckets().array().size() == 9, "months");
      check(found.aggregations().get("percent").tdigestPercentiles().values().keyed().size() == 7, "percentiles");
      check(found.aggregations().get("pages").composite().buckets().array().size() == 2, "composite");
    });
    step("msearch and mget", () -> {
      var many = client.msearch(m -> m.searches(s -> s.header(h -> h.index(BOOKS)).body(b -> b.query(q -> q.matchAll(a -> a))))
          .searches(s -> s.header(h -> h.index("clients-java-none")).body(b -> b.query(q -> q.matchAll(a -> a)))), Book.class);
      check(many.responses().get(0).isResult() && many.responses().get(1).isFailure(), "msearch");
      var got = client.mget(m -> m.index(BOOKS).ids("1", "none"), Book.class);
      check(got.docs().get(0).result().found() && !got.docs().get(1).result().found(), "mget");
    });
    step("errors have type and reason", () -> {
      try {
        client.search(s -> s.index("clients-java-none"), Book.class);
        throw new AssertionError("no error");
      } catch (ElasticsearchException error) {
        check(error.status() == 404 && error.error().type().equals("index_not_found_exception"), error);
      }
    });
    step("update and delete by query, reindex, tasks", () -> {
      check(client.updateByQuery(u -> u.index(BOOKS).query(q -> q.term(t -> t.field("genre").value("odd"))).conflicts(Conflicts.Proceed)
          .script(s -> s.source("ctx._source.genre = 'strange'")).refresh(true)).updated() == COUNT / 2, "updated");
      check(client.reindex(r -> r.source(s -> s.index(BOOKS)).dest(d -> d.index(BOOKS + "-copy")).refresh(true)).created() == COUNT, "created");
      check(client.deleteByQuery(d -> d.index(BOOKS + "-copy").query(q -> q.term(t -> t.field("genre.keyword").value("strange")))).deleted() == COUNT / 2, "deleted");
      client.tasks().list(l -> l.detailed(true));
      client.indices().delete(d -> d.index(BOOKS + "-copy"));
    });
    step("ingest pipelines", () -> {
      client.ingest().putPipeline(p -> p.id("clients-java").processors(x -> x.set(s -> s.field("added").value(JsonData.of(true)))));
      check(client.ingest().getPipeline(g -> g.id("clients-java")).result().containsKey("clients-java"), "pipeline");
      check(client.ingest().simulate(s -> s.id("clients-java").docs(d -> d.source(JsonData.of(Map.of("a", 1))))).docs().size() == 1, "docs");
      client.ingest().deletePipeline(d -> d.id("clients-java"));
    });
    step("templates, aliases, mappings, settings, analyze", () -> {
      client.indices().putIndexTemplate(p -> p.name("clients-java").indexPatterns("clients-java-t*").template(t -> t.settings(s -> s.numberOfReplicas("0"))));
      check(client.indices().getIndexTemplate(g -> g.name("clients-java")).indexTemplates().size() == 1, "template");
      client.indices().deleteIndexTemplate(d -> d.name("clients-java"));
      check(client.indices().getAlias(g -> g.name("clients-java-alias")).result().containsKey(BOOKS), "alias");
      check(client.indices().getMapping(g -> g.index(BOOKS)).get(BOOKS).mappings().properties().containsKey("title"), "mapping");
      check(client.indices().getSettings(g -> g.index(BOOKS)).get(BOOKS).settings().index().numberOfShards().equals("2"), "settings");
      check(client.indices().analyze(a -> a.analyzer("standard").text("two words")).tokens().size() == 2, "tokens");
      check(client.fieldCaps(f -> f.index(BOOKS).fields("*")).fields().containsKey("pages"), "field_caps");
    });
    step("cluster health, state, settings, statistics", () -> {
      client.cluster().health();
      client.cluster().getSettings(g -> g.includeDefaults(true));
      client.cluster().stats();
      client.cluster().pendingTasks();
      client.cluster().putSettings(p -> p.persistent("cluster.max_shards_per_node", JsonData.of("1000")));
      check(client.cluster().state().valueBody() != null, "state");
    });
    step("nodes info, statistics, usage, hot threads", () -> {
      check(client.nodes().info().nodes().size() == 1, "info");
      check(client.nodes().stats().nodes().size() == 1, "stats");
      client.nodes().usage();
    });
    step("index statistics, segments, recovery, shard stores", () -> {
      check(client.indices().stats(s -> s.index(BOOKS)).all().primaries().docs().count() == COUNT, "docs");
      client.indices().segments(s -> s.index(BOOKS));
      client.indices().recovery(s -> s.index(BOOKS));
      client.indices().resolveIndex(r -> r.name("clients-java*"));
      client.indices().forcemerge(f -> f.index(BOOKS).maxNumSegments(1L));
    });
    step("cat tables", () -> {
      check(client.cat().indices(c -> c.index(BOOKS)).valueBody().size() == 1, "indices");
      client.cat().nodes();
      client.cat().shards();
      client.cat().health();
      client.cat().aliases();
      client.cat().allocation();
      client.cat().templates();
      client.cat().segments();
      client.cat().threadPool();
      client.cat().tasks();
    });
    step("snapshot repositories", () -> client.snapshot().getRepository());
    step("licence and features", () -> {
      client.license().get();
      client.license().getBasicStatus();
      client.features().getFeatures();
    });
    step("scripts and search templates", () -> {
      client.putScript(p -> p.id("clients-java").script(s -> s.lang("mustache").source("{\"query\":{\"match\":{\"title\":\"{{word}}\"}}}")));
      check(client.searchTemplate(s -> s.index(BOOKS).id("clients-java").params("word", JsonData.of("book")), Book.class).hits().total().value() == COUNT, "hits");
      check(client.getScript(g -> g.id("clients-java")).found(), "script");
      client.deleteScript(d -> d.id("clients-java"));
    });
    step("explain, term vectors, validate, terms enum, rank evaluation", () -> {
      check(client.explain(e -> e.index(BOOKS).id("1").query(q -> q.match(m -> m.field("title").query("book"))), Book.class).matched(), "explain");
      check(client.termvectors(t -> t.index(BOOKS).id("1").fields("title")).found(), "vectors");
      check(client.indices().validateQuery(v -> v.index(BOOKS).query(q -> q.matchAll(m -> m)).explain(true)).valid(), "valid");
      check(client.termsEnum(t -> t.index(BOOKS).field("genre").string("e")).terms().size() == 1, "terms");
    });
    step("data streams and rollover", () -> {
      client.indices().putIndexTemplate(p -> p.name("clients-java-stream").indexPatterns("clients-java-stream*").dataStream(d -> d).priority(500L));
      client.indices().createDataStream(c -> c.name("clients-java-stream"));
      client.index(i -> i.index("clients-java-stream").document(Map.of("@timestamp", "2024-01-01T00:00:00Z", "m", 1)));
      check(client.indices().rollover(r -> r.alias("clients-java-stream")).rolledOver(), "rolled over");
      check(client.indices().getDataStream(g -> g.name("clients-java-stream")).dataStreams().get(0).indices().size() == 2, "indices");
      client.indices().deleteDataStream(d -> d.name("clients-java-stream"));
      client.indices().deleteIndexTemplate(d -> d.name("clients-java-stream"));
    });
    step("delete the index", () -> check(client.indices().delete(d -> d.index(BOOKS)).acknowledged(), "acknowledged"));
    low.close();
  }
}
