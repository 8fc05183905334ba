-- The rows as Parquet
-- Smaller, and read by everything that reads columns; lists stay lists, objects stay JSON. Set the name first: SET VARIABLE parquet = 'timeline.parquet'.
COPY (SELECT * EXCLUDE (filename) FROM timeline) TO (getvariable('parquet')) (FORMAT parquet, COMPRESSION zstd);
