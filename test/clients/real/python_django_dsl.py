"""A scenario of django-elasticsearch-dsl: models in SQLite, documents in the service.

    python python_django_dsl.py URL
"""
import sys

import django
from django.conf import settings

settings.configure(
    INSTALLED_APPS=["django.contrib.contenttypes", "django_elasticsearch_dsl"],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    ELASTICSEARCH_DSL={"default": {"hosts": sys.argv[1]}},
    ELASTICSEARCH_DSL_AUTO_REFRESH=True,
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
)
django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection, models  # noqa: E402
from django_elasticsearch_dsl import Document, fields  # noqa: E402
from django_elasticsearch_dsl.registries import registry  # noqa: E402
from steps import run_all, step  # noqa: E402


class Car(models.Model):
    name = models.CharField(max_length=50)
    colour = models.CharField(max_length=20)
    doors = models.IntegerField()

    class Meta:
        app_label = "cars"


@registry.register_document
class CarDocument(Document):
    colour = fields.KeywordField()

    class Index:
        name = "real-django-cars"
        settings = {"number_of_shards": 1, "number_of_replicas": 0}

    class Django:
        model = Car
        fields = ["name", "doors"]


with connection.schema_editor() as editor:
    editor.create_model(Car)


@step("search_index --create")
def _():
    CarDocument._index.delete(ignore_unavailable=True)
    call_command("search_index", "--create", "-f", verbosity=0)
    assert CarDocument._index.exists()


@step("saved models are indexed")
def _():
    for i in range(20):
        Car.objects.create(name=f"model {i}", colour=["red", "blue"][i % 2], doors=2 + i % 3)
    assert CarDocument.search().count() == 20


@step("queries, filters and order")
def _():
    found = CarDocument.search().query("match", name="7").execute()
    assert [hit.name for hit in found] == ["model 7"]
    red = CarDocument.search().filter("term", colour="red").sort("-doors")[:5].execute()
    assert len(red) == 5 and red[0].doors == 4


@step("a search as a query set")
def _():
    names = {car.name for car in CarDocument.search().filter("term", doors=3)[:50].to_queryset()}
    assert names == set(Car.objects.filter(doors=3).values_list("name", flat=True))


@step("aggregations")
def _():
    search = CarDocument.search()[:0]
    search.aggs.bucket("colours", "terms", field="colour").metric("doors", "avg", field="doors")
    buckets = search.execute().aggregations.colours.buckets
    assert {bucket.key: bucket.doc_count for bucket in buckets} == {"red": 10, "blue": 10}


@step("updates and deletes of models")
def _():
    car = Car.objects.get(name="model 3")
    car.colour = "green"
    car.save()
    assert CarDocument.search().filter("term", colour="green").count() == 1
    car.delete()
    assert CarDocument.search().count() == 19


@step("search_index --populate and --rebuild")
def _():
    call_command("search_index", "--rebuild", "-f", verbosity=0)
    CarDocument._index.refresh()
    assert CarDocument.search().count() == 19


@step("clean up")
def _():
    call_command("search_index", "--delete", "-f", verbosity=0)


run_all()
