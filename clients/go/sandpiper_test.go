package sandpiper

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

func request(t *testing.T, method, url, body string) string {
	t.Helper()
	req, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	if answer.StatusCode >= 300 {
		t.Fatalf("%s %s: %d %s", method, url, answer.StatusCode, text)
	}
	return string(text)
}

func TestADocumentCanBeIndexedAndFound(t *testing.T) {
	url := Start(t)
	request(t, "PUT", url+"/books/_doc/1?refresh=true", `{"title":"Sandpipers of the world"}`)
	found := request(t, "GET", url+"/books/_search?q=title:sandpipers", "")
	if !strings.Contains(found, `"value":1`) {
		t.Fatalf("the document was not found: %s", found)
	}
}

func TestTwoServicesDoNotShareData(t *testing.T) {
	first, second := Start(t), Start(t)
	request(t, "PUT", first+"/books/_doc/1?refresh=true", `{"title":"a"}`)
	if indices := request(t, "GET", second+"/_cat/indices", ""); indices != "" {
		t.Fatalf("the second service has indices: %s", indices)
	}
}
