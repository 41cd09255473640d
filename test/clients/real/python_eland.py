"""A scenario of eland: data frames over an index.

    python python_eland.py URL
"""
import sys

import eland
import pandas
from elasticsearch import Elasticsearch
from steps import run_all, step

client = Elasticsearch(sys.argv[1])
INDEX = "real-eland"
ROWS = 500
source = pandas.DataFrame(
    {
        "n": range(ROWS),
        "price": [i / 4 for i in range(ROWS)],
        "kind": ["abc"[i % 3] for i in range(ROWS)],
        "at": pandas.date_range("2024-01-01", periods=ROWS, freq="h"),
    }
)
frames = {}


@step("pandas_to_eland")
def _():
    frames["df"] = eland.pandas_to_eland(
        source, es_client=client, es_dest_index=INDEX, es_if_exists="replace", es_refresh=True, es_type_overrides={"kind": "keyword"}
    )
    assert frames["df"].shape == (ROWS, 4)


@step("columns, types, head and tail")
def _():
    df = frames["df"]
    assert sorted(df.columns) == ["at", "kind", "n", "price"]
    assert str(df.dtypes["n"]) == "int64"
    assert len(df.head(5)) == 5 and len(df.tail(5)) == 5


@step("filters and selections")
def _():
    df = frames["df"]
    chosen = df[(df.n >= 100) & (df.kind == "b")]
    expected = source[(source.n >= 100) & (source.kind == "b")]
    assert len(chosen) == len(expected)
    assert len(df[df.kind.isin(["a", "c"])]) == len(source[source.kind.isin(["a", "c"])])


@step("metrics")
def _():
    df = frames["df"]
    assert df.n.sum() == source.n.sum()
    assert abs(df.price.mean() - source.price.mean()) < 1e-9
    assert df.kind.nunique() == 3
    assert df.n.max() == ROWS - 1


@step("describe and value_counts")
def _():
    df = frames["df"]
    assert df[["n", "price"]].describe().loc["count", "n"] == ROWS
    assert dict(df.kind.value_counts()) == dict(source.kind.value_counts())


@step("groupby")
def _():
    grouped = frames["df"].groupby("kind").sum()
    wanted = source.groupby("kind").n.sum()
    assert [float(value) for value in grouped["n"]] == [float(value) for value in wanted]


@step("eland_to_pandas")
def _():
    back = eland.eland_to_pandas(frames["df"])
    assert len(back) == ROWS and sorted(back.n) == list(range(ROWS))


@step("clean up")
def _():
    client.indices.delete(index=INDEX)


run_all()
