"""A scenario of django-elasticsearch-dsl: models, their documents, signals and the command search_index.

    python python_django_dsl.py URL
"""
import os
import sys
import tempfile
from datetime import date, timedelta
from io import StringIO

import django
from django.conf import settings
from steps import run_all, step

database = os.path.join(tempfile.mkdtemp(), "cars.sqlite")  # each thread of a parallel command has a connection of its own
settings.configure(
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": database}},
    INSTALLED_APPS=["django_elasticsearch_dsl"],
    ELASTICSEARCH_DSL={"default": {"hosts": sys.argv[1]}},
    ELASTICSEARCH_DSL_AUTO_REFRESH=True,
    ELASTICSEARCH_DSL_PARALLEL=False,
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    USE_TZ=True,
)
django.setup()

from django.core.management import call_command  # noqa: E402
from django.core.paginator import Paginator  # noqa: E402
from django.db import connection, models  # noqa: E402
from django_elasticsearch_dsl import Document, fields  # noqa: E402
from django_elasticsearch_dsl.registries import registry  # noqa: E402
from elasticsearch import NotFoundError  # noqa: E402
from elasticsearch.dsl import A, connections  # noqa: E402

CARS = 150


class Maker(models.Model):
    name = models.CharField(max_length=50)

    class Meta:
        app_label = "shop"


class Car(models.Model):
    name = models.CharField(max_length=50)
    description = models.TextField()
    price = models.FloatField()
    launched = models.DateField()
    kind = models.CharField(max_length=10)
    maker = models.ForeignKey(Maker, on_delete=models.CASCADE)

    class Meta:
        app_label = "shop"


class Advert(models.Model):
    title = models.CharField(max_length=50)
    car = models.ForeignKey(Car, related_name="adverts", on_delete=models.CASCADE)

    class Meta:
        app_label = "shop"


@registry.register_document
class CarDocument(Document):
    maker = fields.ObjectField(properties={"name": fields.KeywordField()})
    adverts = fields.NestedField(properties={"title": fields.TextField(), "pk": fields.IntegerField()})
    kind = fields.KeywordField()
    name = fields.TextField(fields={"raw": fields.KeywordField(), "suggest": fields.CompletionField()})

    class Index:
        name = "clients-django"
        settings = {"number_of_shards": 1, "number_of_replicas": 0}

    class Django:
        model = Car
        fields = ["description", "price", "launched"]
        related_models = [Maker, Advert]

    def get_instances_from_related(self, related):
        return related.car_set.all() if isinstance(related, Maker) else related.car


with connection.schema_editor() as editor:
    for model in (Maker, Car, Advert):
        editor.create_model(model)
client = connections.get_connection()


def command(*args):
    call_command("search_index", *args, stdout=StringIO())


def names(search):
    return [hit.name for hit in search]


@step("search_index --create makes the mapping of the document")
def _():
    command("--create", "-f")
    properties = client.indices.get_mapping(index="clients-django")["clients-django"]["mappings"]["properties"]
    assert properties["adverts"]["type"] == "nested"
    assert properties["name"]["fields"]["suggest"]["type"] == "completion"
    assert properties["launched"]["type"] == "date"


@step("search_index --populate writes the rows in bulk requests")
def _():
    makers = [Maker.objects.create(name=f"maker {n}") for n in range(3)]
    Car.objects.bulk_create(
        Car(
            name=f"car {n}",
            description="a red car" if n % 2 else "a blue bicycle",
            price=n * 10,
            launched=date(2020, 1, 1) + timedelta(days=n),
            kind="abc"[n % 3],
            maker=makers[n % 3],
        )
        for n in range(CARS)
    )
    command("--populate", "-f", "--refresh")
    assert CarDocument.search().count() == CARS


@step("search_index --populate --parallel writes the same rows")
def _():
    before = client.count(index="clients-django")["count"]
    command("--populate", "-f", "--parallel", "--refresh")
    assert client.count(index="clients-django")["count"] == before


@step("saving a row writes its document")
def _():
    car = Car.objects.get(name="car 7")
    car.description = "rare amphibian"
    car.save()
    assert names(CarDocument.search().query("match", description="amphibian")) == ["car 7"]


@step("saving a related row writes the documents of its rows")
def _():
    Advert.objects.create(title="for sale", car=Car.objects.get(name="car 9"))
    nested = CarDocument.search().query("nested", path="adverts", query={"match": {"adverts.title": "sale"}})
    assert names(nested) == ["car 9"]
    maker = Maker.objects.get(name="maker 1")
    maker.name = "renamed"
    maker.save()
    assert CarDocument.search().filter("term", maker__name="renamed").count() == CARS // 3


@step("deleting a row deletes its document")
def _():
    Car.objects.get(name="car 3").delete()
    assert CarDocument.search().filter("term", name__raw="car 3").count() == 0
    assert CarDocument.search().count() == CARS - 1


@step("searches as a queryset keep the order of the hits")
def _():
    search = CarDocument.search().filter("range", price={"gte": 100, "lt": 150}).sort("-price")
    assert [car.name for car in search.to_queryset()] == names(search) == [f"car {n}" for n in (14, 13, 12, 11, 10)]


@step("pages of Django's paginator")
def _():
    pages = Paginator(CarDocument.search().query("match_all").sort("price"), 40)
    assert pages.count == CARS - 1 and pages.num_pages == 4
    found = [hit.name for number in pages.page_range for hit in pages.page(number)]
    assert len(set(found)) == CARS - 1


@step("scan reads everything")
def _():
    assert len({hit.meta.id for hit in CarDocument.search().scan()}) == CARS - 1


@step("aggregations")
def _():
    search = CarDocument.search().extra(size=0)
    search.aggs.bucket("kinds", "terms", field="kind").metric("mean", "avg", field="price")
    search.aggs.bucket("months", "date_histogram", field="launched", calendar_interval="month")
    found = search.execute().aggregations
    assert sum(bucket.doc_count for bucket in found.kinds.buckets) == CARS - 1
    assert all(bucket.mean.value > 0 for bucket in found.kinds.buckets)
    assert found.months.buckets[0].key_as_string.startswith("2020-01-01")
    adverts = CarDocument.search().extra(size=0)
    adverts.aggs.bucket("adverts", A("nested", path="adverts"))
    assert adverts.execute().aggregations.adverts.doc_count == 1


@step("suggestions and highlights")
def _():
    found = CarDocument.search().suggest("s", "car", completion={"field": "name.suggest", "size": 5}).execute()
    assert [option.text for option in found.suggest.s[0].options][:2] == ["car 0", "car 1"]
    hit = CarDocument.search().query("match", description="amphibian").highlight("description").execute()[0]
    assert hit.meta.highlight.description[0] == "rare <em>amphibian</em>"


@step("search_index --rebuild --use-alias puts an alias before a new index")
def _():
    command("--rebuild", "-f", "--use-alias", "--refresh")
    assert len(client.indices.get_alias(name="clients-django").body) == 1
    assert client.count(index="clients-django")["count"] == CARS - 1


@step("a search of a deleted index is an error")
def _():
    client.indices.delete(index="clients-django-*")
    try:
        CarDocument.search().execute()
    except NotFoundError as error:
        assert error.error == "index_not_found_exception"
    else:
        raise AssertionError("the search found an index")


run_all()
