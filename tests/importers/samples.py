# ruff: noqa: E501, W291  (the listings keep the line lengths and trailing blanks of the tool)
"""Listings written for these tests, in the forms of several Kafka versions."""

MODERN = """\
$ kafka-topics.sh --bootstrap-server broker-1.example:9092 --describe
Topic: parcels\tTopicId: AbCdEfGhQ3uuLmJpK-X4YA\tPartitionCount: 3\tReplicationFactor: 3\tConfigs: min.insync.replicas=2,cleanup.policy=compact,delete
\tTopic: parcels\tPartition: 0\tLeader: 1\tReplicas: 1,2,3\tIsr: 1,2\tElr: \tLastKnownElr: 
\tTopic: parcels\tPartition: 1\tLeader: 2\tReplicas: 2,3,1\tIsr: 2,1\tElr: \tLastKnownElr: 
\tTopic: parcels\tPartition: 2\tLeader: 1\tReplicas: 3,1,2\tIsr: 1,2\tElr: \tLastKnownElr: 
Topic: stops\tTopicId: ZzCdEfGhQ3uuLmJpK-X4YB\tPartitionCount: 2\tReplicationFactor: 1\tConfigs: 
\tTopic: stops\tPartition: 0\tLeader: none\tReplicas: 3\tIsr: \tElr: 3\tLastKnownElr: 
\tTopic: stops\tPartition: 1\tLeader: 2\tReplicas: 2\tIsr: 2\tElr: \tLastKnownElr: 
"""
MODERN_FACTS = (3, 2, 5, 4, 1, 1)

OLD = """\
Topic:orders\tPartitionCount:2\tReplicationFactor:2\tConfigs:retention.ms=-1
\tTopic: orders\tPartition: 0\tLeader: 7\tReplicas: 7,8\tIsr: 7,8
\tTopic: orders\tPartition: 1\tLeader: -1\tReplicas: 9,10\tIsr: 10
"""
OLD_FACTS = (4, 1, 2, 1, 1, 0)

VERY_OLD = """\
topic: clicks\tpartition: 0\tleader: 1\treplicas: 1,2\tisr: 1,2
topic: clicks\tpartition: 1\tleader: none\treplicas: 2,1\tisr: 
"""
VERY_OLD_FACTS = (2, 1, 2, 1, 1, 0)

KCAT = """\
Metadata for all topics (from broker 1: broker-1.example:9092/1):
 3 brokers:
  broker 1 at broker-1.example:9092
  broker 2 at broker-2.example:9092 (controller)
  broker 3 at broker-3.example:9092
 2 topics:
  topic "parcels" with 2 partitions:
    partition 0, leader 1, replicas: 1,2,4, isrs: 1,2
    partition 1, leader 2, replicas: 2,3,1, isrs: 2,3,1
  topic "stops" with 1 partitions:
    partition 0, leader -1, replicas: 4, isrs: 4, Broker: Leader not available
"""
KCAT_FACTS = (4, 2, 3, 1, 1, 0)

KCAT_JSON = (
    '{"originating_broker":{"id":1,"name":"b1.example:9092/1"},"query":{"topic":"*"},"controllerid":2,'
    '"brokers":[{"id":1,"name":"b1.example:9092"},{"id":2,"name":"b2.example:9092"}],'
    '"topics":[{"topic":"parcels","partitions":[{"partition":0,"leader":1,"replicas":[{"id":1},{"id":2}],'
    '"isrs":[{"id":1}]},{"partition":1,"leader":-1,"error":"Leader not available","replicas":[{"id":3}],"isrs":[]}]}]}'
)
KCAT_JSON_FACTS = (3, 1, 2, 2, 1, 0)
