"""A scenario of langchain-elasticsearch without vectors: stores, retrievers, histories, caches.

    python python_langchain.py URL
"""
import sys

from elasticsearch import Elasticsearch
from langchain_core.documents import Document
from langchain_core.outputs import Generation
from langchain_elasticsearch import (
    BM25Strategy,
    ElasticsearchCache,
    ElasticsearchChatMessageHistory,
    ElasticsearchRetriever,
    ElasticsearchStore,
)
from steps import run_all, step

url = sys.argv[1]
client = Elasticsearch(url)
TEXTS = ["the quick brown fox", "a lazy dog", "foxes and dogs", "bread and butter"]


def store():
    return ElasticsearchStore(index_name="real-langchain", es_url=url, strategy=BM25Strategy())


@step("add documents with metadata")
def _():
    client.options(ignore_status=404).indices.delete(index="real-langchain")
    documents = [Document(page_content=text, metadata={"n": i}) for i, text in enumerate(TEXTS)]
    ids = store().add_documents(documents, ids=[str(i) for i in range(len(TEXTS))])
    assert ids == ["0", "1", "2", "3"]


@step("similarity_search with BM25, scores and filters")
def _():
    found = store().similarity_search("lazy dog", k=2)
    assert found[0].page_content == "a lazy dog" and found[0].metadata["n"] == 1
    scored = store().similarity_search_with_score("fox", k=4)
    assert scored and scored[0][1] > 0
    filtered = store().similarity_search("and", k=4, filter=[{"range": {"metadata.n": {"gte": 3}}}])
    assert [document.metadata["n"] for document in filtered] == [3]


@step("a store as retriever")
def _():
    assert store().as_retriever(search_kwargs={"k": 1}).invoke("butter")[0].metadata["n"] == 3


@step("ElasticsearchRetriever with a body of its own")
def _():
    retriever = ElasticsearchRetriever(
        client=client,
        index_name="real-langchain",
        body_func=lambda text: {"query": {"match": {"text": text}}},
        content_field="text",
    )
    assert retriever.invoke("brown")[0].page_content == "the quick brown fox"


@step("delete documents")
def _():
    assert store().delete(["0", "1"])
    assert client.count(index="real-langchain")["count"] == 2


@step("chat message history")
def _():
    history = ElasticsearchChatMessageHistory(index="real-langchain-history", session_id="s1", es_url=url)
    history.add_user_message("hello")
    history.add_ai_message("good morning")
    client.indices.refresh(index="real-langchain-history")
    assert [message.content for message in history.messages] == ["hello", "good morning"]
    history.clear()
    client.indices.refresh(index="real-langchain-history")
    assert history.messages == []


@step("cache of generations")
def _():
    cache = ElasticsearchCache(index_name="real-langchain-cache", es_url=url)
    assert cache.lookup("prompt", "model") is None
    cache.update("prompt", "model", [Generation(text="answer")])
    assert cache.lookup("prompt", "model")[0].text == "answer"


@step("clean up")
def _():
    client.indices.delete(index="real-langchain*")


run_all()
