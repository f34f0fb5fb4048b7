-- A sample.
CREATE TABLE shop (id INTEGER PRIMARY KEY, name VARCHAR(20) NOT NULL, price NUMERIC DEFAULT 0);
CREATE INDEX by_name ON shop (name, price);
INSERT INTO shop (id, name, price) VALUES (1, 'apple', 2.5), (2, 'pear', 3);
SELECT s.id, s.name AS label, COUNT(*) AS n, MAX(price + 1)
FROM shop s LEFT JOIN other o ON s.id = o.id AND o.x > 3
WHERE s.price > 1 AND (s.name LIKE 'a%' OR s.id IN (1, 2, 3)) AND s.x IS NOT NULL
GROUP BY s.id, s.name HAVING COUNT(*) > 2
ORDER BY label DESC, n LIMIT 10;
UPDATE shop SET price = price * 2, name = 'x' WHERE id = 1;
DELETE FROM shop WHERE id = 2;
WITH t AS (SELECT 1 AS a) SELECT CASE WHEN a = 1 THEN 'one' ELSE 'other' END FROM t;
