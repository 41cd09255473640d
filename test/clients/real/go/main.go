// A scenario of go-elasticsearch 8: the typed API, the bulk indexer, paging and errors.
//
//	go run . URL
//
// Prints one line of JSON per step: {"step", "ok", "error"?}.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync/atomic"

	"github.com/elastic/go-elasticsearch/v8"
	"github.com/elastic/go-elasticsearch/v8/esutil"
	"github.com/elastic/go-elasticsearch/v8/typedapi/types"
)

const (
	index     = "real-go-books"
	documents = 200
)

func main() {
	configuration := elasticsearch.Config{Addresses: []string{os.Args[1]}}
	typed, err := elasticsearch.NewTypedClient(configuration)
	if err != nil {
		panic(err)
	}
	plain, err := elasticsearch.NewClient(configuration)
	if err != nil {
		panic(err)
	}
	background := context.Background()

	step("info", func() error {
		info, err := typed.Info().Do(background)
		if err == nil && info.Version.Int == "" {
			err = errors.New("no version")
		}
		return err
	})
	step("create an index", func() error {
		_, _ = typed.Indices.Delete(index).IgnoreUnavailable(true).Do(background)
		properties := map[string]types.Property{"genre": types.NewKeywordProperty(), "n": types.NewIntegerNumberProperty()}
		_, err := typed.Indices.Create(index).Mappings(&types.TypeMapping{Properties: properties}).Do(background)
		return err
	})
	step("bulk indexer", func() error {
		indexer, err := esutil.NewBulkIndexer(esutil.BulkIndexerConfig{Client: plain, Index: index, Refresh: "true", NumWorkers: 2})
		if err != nil {
			return err
		}
		var failures atomic.Int64
		for i := range documents {
			body, _ := json.Marshal(map[string]any{"n": i, "genre": []string{"a", "b"}[i%2]})
			item := esutil.BulkIndexerItem{
				Action: "index", DocumentID: fmt.Sprint(i), Body: bytes.NewReader(body),
				OnFailure: func(context.Context, esutil.BulkIndexerItem, esutil.BulkIndexerResponseItem, error) { failures.Add(1) },
			}
			if err := indexer.Add(background, item); err != nil {
				return err
			}
		}
		if err := indexer.Close(background); err != nil {
			return err
		}
		return same(failures.Load(), 0)
	})
	step("get and update", func() error {
		found, err := typed.Get(index, "7").Do(background)
		if err != nil || !found.Found {
			return fmt.Errorf("not found: %w", err)
		}
		_, err = typed.Update(index, "7").Doc(map[string]any{"n": 7}).Do(background)
		return err
	})
	step("search with a typed query and aggregations", func() error {
		genre := "genre"
		answer, err := typed.Search().Index(index).
			Query(&types.Query{Term: map[string]types.TermQuery{"genre": {Value: "a"}}}).
			Aggregations(map[string]types.Aggregations{"genres": {Terms: &types.TermsAggregation{Field: &genre}}}).
			Do(background)
		if err != nil {
			return err
		}
		return same(answer.Hits.Total.Value, int64(documents/2))
	})
	step("point in time and search_after to the end", func() error {
		opened, err := typed.OpenPointInTime(index).KeepAlive("1m").Do(background)
		if err != nil {
			return err
		}
		var after []types.FieldValue
		count := 0
		for {
			request := typed.Search().Size(70).Pit(&types.PointInTimeReference{Id: opened.Id}).Sort(map[string]any{"genre": "asc"})
			if after != nil {
				request = request.SearchAfter(after...)
			}
			page, err := request.Do(background)
			if err != nil {
				return err
			}
			if len(page.Hits.Hits) == 0 {
				break
			}
			count += len(page.Hits.Hits)
			after = page.Hits.Hits[len(page.Hits.Hits)-1].Sort
		}
		return same(count, documents)
	})
	step("reindex, count and delete by query", func() error {
		copied := index + "-copy"
		_, err := typed.Reindex().Refresh(true).Source(&types.ReindexSource{Index: []string{index}}).Dest(&types.ReindexDestination{Index: copied}).Do(background)
		if err != nil {
			return err
		}
		_, err = typed.DeleteByQuery(copied).Refresh(true).Query(&types.Query{MatchAll: types.NewMatchAllQuery()}).Do(background)
		if err != nil {
			return err
		}
		counted, err := typed.Count().Index(copied).Do(background)
		if err != nil {
			return err
		}
		_, _ = typed.Indices.Delete(copied).Do(background)
		return same(counted.Count, int64(0))
	})
	step("cluster, nodes and cat decode into the client's types", func() error {
		if _, err := typed.Cluster.Health().Do(background); err != nil {
			return err
		}
		if _, err := typed.Cluster.Stats().Do(background); err != nil {
			return fmt.Errorf("cluster stats: %w", err)
		}
		if _, err := typed.Nodes.Stats().Do(background); err != nil {
			return fmt.Errorf("nodes stats: %w", err)
		}
		if _, err := typed.Cat.Indices().Do(background); err != nil {
			return fmt.Errorf("cat indices: %w", err)
		}
		_, err := typed.Indices.Stats().Index(index).Do(background)
		return err
	})
	step("errors are typed", func() error {
		_, err := typed.Search().Index("real-go-none").Do(background)
		var failure *types.ElasticsearchError
		if !errors.As(err, &failure) {
			return fmt.Errorf("not an ElasticsearchError: %v", err)
		}
		return same(failure.Status, 404)
	})
	step("delete the index", func() error {
		_, err := typed.Indices.Delete(index).Do(background)
		return err
	})
}

func step(name string, work func() error) {
	line := map[string]any{"step": name, "ok": true}
	if err := work(); err != nil {
		line["ok"], line["error"] = false, err.Error()
	}
	text, _ := json.Marshal(line)
	fmt.Println(string(text))
}

func same[T comparable](actual, expected T) error {
	if actual != expected {
		return fmt.Errorf("%v instead of %v", actual, expected)
	}
	return nil
}
