import java.time.Duration;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * The Java client as the other side of a test.
 *
 * <p>{@code produce SERVERS TOPIC COMPRESSION COUNT} writes m0, m1, … with the keys k0, k1, …;
 * {@code consume SERVERS TOPIC GROUP COUNT} prints "partition key value" of each record, then ends.
 */
public class KafkaPeer {
  public static void main(String[] words) {
    Properties settings = new Properties();
    settings.put("bootstrap.servers", words[1]);
    String topic = words[2];
    int count = Integer.parseInt(words[4]);
    if (words[0].equals("produce")) produce(settings, topic, words[3], count);
    else consume(settings, topic, words[3], count);
  }

  private static void produce(Properties settings, String topic, String compression, int count) {
    settings.put("compression.type", compression);
    settings.put("linger.ms", "50");
    try (var producer = new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
      for (int i = 0; i < count; i++) producer.send(new ProducerRecord<>(topic, "k" + i, "m" + i));
    }
  }

  private static void consume(Properties settings, String topic, String group, int count) {
    settings.put("group.id", group);
    settings.put("auto.offset.reset", "earliest");
    try (var consumer = new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
      consumer.subscribe(List.of(topic));
      int seen = 0;
      while (seen < count) {
        for (var record : consumer.poll(Duration.ofMillis(200))) {
          System.out.println(record.partition() + " " + record.key() + " " + record.value());
          seen++;
        }
      }
      consumer.commitSync();
    }
  }
}
