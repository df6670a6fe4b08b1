"""The what-if pipeline: grid -> runs on Spark -> Parquet rows -> statistics by variant. Imports no Django."""
