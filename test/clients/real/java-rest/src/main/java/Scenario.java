import java.util.Arrays;
import java.util.Map;
import org.apache.http.HttpHost;
import org.elasticsearch.ElasticsearchStatusException;
import org.elasticsearch.action.admin.cluster.health.ClusterHealthRequest;
import org.elasticsearch.action.admin.indices.alias.IndicesAliasesRequest;
import org.elasticsearch.action.admin.indices.delete.DeleteIndexRequest;
import org.elasticsearch.action.admin.indices.refresh.RefreshRequest;
import org.elasticsearch.action.bulk.BulkRequest;
import org.elasticsearch.action.bulk.BulkResponse;
import org.elasticsearch.action.delete.DeleteRequest;
import org.elasticsearch.action.get.GetRequest;
import org.elasticsearch.action.get.MultiGetRequest;
import org.elasticsearch.action.index.IndexRequest;
import org.elasticsearch.action.search.MultiSearchRequest;
import org.elasticsearch.action.search.SearchRequest;
import org.elasticsearch.action.search.SearchResponse;
import org.elasticsearch.action.search.SearchScrollRequest;
import org.elasticsearch.action.support.WriteRequest.RefreshPolicy;
import org.elasticsearch.action.update.UpdateRequest;
import org.elasticsearch.client.RequestOptions;
import org.elasticsearch.client.RestClient;
import org.elasticsearch.client.RestHighLevelClient;
import org.elasticsearch.client.RestHighLevelClientBuilder;
import org.elasticsearch.client.core.CountRequest;
import org.elasticsearch.client.indices.CreateIndexRequest;
import org.elasticsearch.client.indices.GetIndexRequest;
import org.elasticsearch.client.indices.GetMappingsRequest;
import org.elasticsearch.core.TimeValue;
import org.elasticsearch.index.query.QueryBuilders;
import org.elasticsearch.index.reindex.DeleteByQueryRequest;
import org.elasticsearch.index.reindex.ReindexRequest;
import org.elasticsearch.index.reindex.UpdateByQueryRequest;
import org.elasticsearch.script.Script;
import org.elasticsearch.script.ScriptType;
import org.elasticsearch.search.aggregations.AggregationBuilders;
import org.elasticsearch.search.aggregations.bucket.histogram.DateHistogramInterval;
import org.elasticsearch.search.aggregations.bucket.histogram.Histogram;
import org.elasticsearch.search.aggregations.bucket.terms.Terms;
import org.elasticsearch.search.aggregations.metrics.Stats;
import org.elasticsearch.search.builder.SearchSourceBuilder;
import org.elasticsearch.search.fetch.subphase.highlight.HighlightBuilder;
import org.elasticsearch.search.sort.SortOrder;
import org.elasticsearch.search.suggest.SuggestBuilder;
import org.elasticsearch.search.suggest.SuggestBuilders;

/** A scenario of the REST high-level client 7.17 in the mode that talks to version 8. Prints one line of JSON per step. */
public class Scenario {
  interface Work {
    void run() throws Exception;
  }

  static final String BOOKS = "clients-rest-books";
  static final int COUNT = 120;
  static final RequestOptions OPTIONS = RequestOptions.DEFAULT;

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

  static Map<String, Object> book(int n) {
    return Map.of("title", "book number " + n, "genre", n % 2 == 0 ? "even" : "odd", "pages", n, "printed", "2024-0" + (1 + n % 9) + "-01");
  }

  public static void main(String[] args) throws Exception {
    RestClient low = RestClient.builder(HttpHost.create(args[0])).build();
    RestHighLevelClient client = new RestHighLevelClientBuilder(low).setApiCompatibilityMode(true).build();

    step("info and ping", () -> check(client.ping(OPTIONS) && client.info(OPTIONS).getVersion().getNumber() != null, "info"));
    step("create an index", () -> {
      if (client.indices().exists(new GetIndexRequest(BOOKS), OPTIONS)) client.indices().delete(new DeleteIndexRequest(BOOKS), OPTIONS);
      CreateIndexRequest request = new CreateIndexRequest(BOOKS);
      request.settings(Map.of("number_of_shards", 2, "number_of_replicas", 0));
      request.mapping(Map.of("properties", Map.of("title", Map.of("type", "text"), "genre", Map.of("type", "keyword"), "printed", Map.of("type", "date"))));
      check(client.indices().create(request, OPTIONS).isAcknowledged(), "acknowledged");
    });
    step("index, get, update, delete", () -> {
      client.index(new IndexRequest(BOOKS).id("x").source(book(1)).setRefreshPolicy(RefreshPolicy.IMMEDIATE), OPTIONS);
      check(client.get(new GetRequest(BOOKS, "x"), OPTIONS).getSourceAsMap().get("pages").equals(1), "pages");
      client.update(new UpdateRequest(BOOKS, "x").doc(Map.of("pages", 5)), OPTIONS);
      client.update(new UpdateRequest(BOOKS, "x").script(new Script(ScriptType.INLINE, "painless", "ctx._source.pages += params.n", Map.of("n", 2))), OPTIONS);
      check(client.get(new GetRequest(BOOKS, "x"), OPTIONS).getSourceAsMap().get("pages").equals(7), "7 pages");
      check(client.exists(new GetRequest(BOOKS, "x"), OPTIONS), "exists");
      client.delete(new DeleteRequest(BOOKS, "x").setRefreshPolicy(RefreshPolicy.IMMEDIATE), OPTIONS);
      check(!client.get(new GetRequest(BOOKS, "x"), OPTIONS).isExists(), "exists");
    });
    step("bulk with each kind of item", () -> {
      BulkRequest bulk = new BulkRequest().setRefreshPolicy(RefreshPolicy.IMMEDIATE);
      for (int n = 0; n < COUNT; n++) bulk.add(new IndexRequest(BOOKS).id(String.valueOf(n)).source(book(n)));
      bulk.add(new UpdateRequest(BOOKS, "1").doc(Map.of("extra", true)));
      bulk.add(new IndexRequest(BOOKS).id("gone").source(book(0)));
      bulk.add(new DeleteRequest(BOOKS, "gone"));
      BulkResponse response = client.bulk(bulk, OPTIONS);
      check(!response.hasFailures(), response.buildFailureMessage());
    });
    step("a bulk item that fails", () -> {
      BulkResponse response = client.bulk(new BulkRequest().add(new IndexRequest(BOOKS).id("bad").source(Map.of("printed", "no date"))), OPTIONS);
      check(response.hasFailures() && response.getItems()[0].getFailure().getStatus().getStatus() == 400, "failure");
    });
    step("search with highlight, sort and source filter", () -> {
      SearchSourceBuilder source = new SearchSourceBuilder().query(QueryBuilders.matchQuery("title", "book")).size(5)
          .sort("pages", SortOrder.DESC).fetchSource("title", null).highlighter(new HighlightBuilder().field("title"));
      SearchResponse found = client.search(new SearchRequest(BOOKS).source(source), OPTIONS);
      check(found.getHits().getTotalHits().value == COUNT && found.getHits().getHits().length == 5, found);
      check(found.getHits().getAt(0).getHighlightFields().get("title").fragments()[0].string().contains("<em>"), "highlight");
    });
    step("bool, nested functions and suggestions", () -> {
      SearchSourceBuilder source = new SearchSourceBuilder()
          .query(QueryBuilders.functionScoreQuery(QueryBuilders.boolQuery().must(QueryBuilders.matchAllQuery()).filter(QueryBuilders.rangeQuery("pages").gte(10)).mustNot(QueryBuilders.termQuery("genre", "odd"))))
          .suggest(new SuggestBuilder().addSuggestion("words", SuggestBuilders.termSuggestion("title").text("bok")));
      SearchResponse found = client.search(new SearchRequest(BOOKS).source(source), OPTIONS);
      check(found.getHits().getTotalHits().value == COUNT / 2 - 5, found.getHits().getTotalHits());
      check(found.getSuggest().getSuggestion("words").getEntries().size() == 1, "suggest");
    });
    step("scroll", () -> {
      SearchResponse page = client.search(new SearchRequest(BOOKS).scroll(TimeValue.timeValueMinutes(1)).source(new SearchSourceBuilder().size(25)), OPTIONS);
      int seen = 0;
      while (page.getHits().getHits().length > 0) {
        seen += page.getHits().getHits().length;
        page = client.scroll(new SearchScrollRequest(page.getScrollId()).scroll(TimeValue.timeValueMinutes(1)), OPTIONS);
      }
      check(seen == COUNT, seen);
    });
    step("aggregations", () -> {
      SearchSourceBuilder source = new SearchSourceBuilder().size(0)
          .aggregation(AggregationBuilders.terms("genres").field("genre").subAggregation(AggregationBuilders.stats("pages").field("pages")))
          .aggregation(AggregationBuilders.dateHistogram("months").field("printed").calendarInterval(DateHistogramInterval.MONTH))
          .aggregation(AggregationBuilders.topHits("top").size(1)).aggregation(AggregationBuilders.cardinality("different").field("genre"));
      SearchResponse found = client.search(new SearchRequest(BOOKS).source(source), OPTIONS);
      Terms genres = found.getAggregations().get("genres");
      Stats pages = genres.getBuckets().get(0).getAggregations().get("pages");
      Histogram months = found.getAggregations().get("months");
      check(genres.getBuckets().size() == 2 && pages.getCount() == COUNT / 2 && months.getBuckets().size() == 9, "buckets");
    });
    step("msearch, mget and count", () -> {
      MultiSearchRequest many = new MultiSearchRequest();
      many.add(new SearchRequest(BOOKS));
      many.add(new SearchRequest("clients-rest-none"));
      var found = client.msearch(many, OPTIONS);
      check(!found.getResponses()[0].isFailure() && found.getResponses()[1].isFailure(), "msearch");
      var got = client.mget(new MultiGetRequest().add(BOOKS, "1").add(BOOKS, "none"), OPTIONS);
      check(got.getResponses()[0].getResponse().isExists() && !got.getResponses()[1].getResponse().isExists(), "mget");
      check(client.count(new CountRequest(BOOKS), OPTIONS).getCount() == COUNT, "count");
    });
    step("errors have a status and a reason", () -> {
      try {
        client.search(new SearchRequest("clients-rest-none"), OPTIONS);
        throw new AssertionError("no error");
      } catch (ElasticsearchStatusException error) {
        check(error.status().getStatus() == 404 && error.getMessage().contains("index_not_found_exception"), error);
      }
    });
    step("update and delete by query, reindex", () -> {
      UpdateByQueryRequest update = new UpdateByQueryRequest(BOOKS);
      update.setQuery(QueryBuilders.termQuery("genre", "odd"));
      update.setScript(new Script("ctx._source.genre = 'strange'"));
      update.setRefresh(true);
      check(client.updateByQuery(update, OPTIONS).getUpdated() == COUNT / 2, "updated");
      check(client.reindex(new ReindexRequest().setSourceIndices(BOOKS).setDestIndex(BOOKS + "-copy").setRefresh(true), OPTIONS).getCreated() == COUNT, "created");
      DeleteByQueryRequest delete = new DeleteByQueryRequest(BOOKS + "-copy");
      delete.setQuery(QueryBuilders.termQuery("genre.keyword", "strange"));
      check(client.deleteByQuery(delete, OPTIONS).getDeleted() == COUNT / 2, "deleted");
      client.indices().delete(new DeleteIndexRequest(BOOKS + "-copy"), OPTIONS);
    });
    step("mappings, aliases, refresh", () -> {
      check(client.indices().getMapping(new GetMappingsRequest().indices(BOOKS), OPTIONS).mappings().get(BOOKS).sourceAsMap().containsKey("properties"), "mapping");
      IndicesAliasesRequest aliases = new IndicesAliasesRequest();
      aliases.addAliasAction(IndicesAliasesRequest.AliasActions.add().index(BOOKS).alias("clients-rest-alias"));
      check(client.indices().updateAliases(aliases, OPTIONS).isAcknowledged(), "alias");
      check(client.indices().refresh(new RefreshRequest(BOOKS), OPTIONS).getFailedShards() == 0, "refresh");
      check(Arrays.asList(client.indices().get(new GetIndexRequest(BOOKS), OPTIONS).getIndices()).contains(BOOKS), "index");
    });
    step("cluster health", () -> check(client.cluster().health(new ClusterHealthRequest(BOOKS), OPTIONS).getNumberOfNodes() == 1, "nodes"));
    step("delete the index", () -> check(client.indices().delete(new DeleteIndexRequest(BOOKS), OPTIONS).isAcknowledged(), "acknowledged"));
    client.close();
  }
}
