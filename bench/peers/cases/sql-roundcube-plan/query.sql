
;
EXPLAIN QUERY PLAN
SELECT c.name, g.name
FROM contacts AS c
JOIN contactgroupmembers AS m ON c.contact_id = m.contact_id
JOIN contactgroups AS g ON g.contactgroup_id = m.contactgroup_id
WHERE c.user_id = 7 AND c.del = 0
ORDER BY m.created;
