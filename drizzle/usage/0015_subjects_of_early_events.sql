INSERT INTO `usage_rebuild` (`id`, `task_id`, `index_state`, `indexed_to`)
SELECT 1, '', 'WAITING', 0 WHERE EXISTS (SELECT 1 FROM `usage_unattributed`)
ON CONFLICT (`id`) DO UPDATE SET `index_state` = 'WAITING', `indexed_to` = 0;
--> statement-breakpoint
INSERT INTO `usage_counters` (`environment_id`, `feature_id`, `meter_id`, `definition`, `counted_to`, `state`)
SELECT `environment_id`, `feature_id`, `meter_id`, `definition`, 0, 'FILLING' FROM `usage_counters` c
WHERE EXISTS (SELECT 1 FROM `usage_unattributed`) AND ((c.`state` = 'FILLING' AND c.`counted_to` > 0) OR (c.`state` = 'LIVE'
AND NOT EXISTS (SELECT 1 FROM `usage_counters` f WHERE f.`feature_id` = c.`feature_id` AND f.`state` = 'FILLING')));
--> statement-breakpoint
UPDATE `usage_counters` SET `state` = 'RETIRED'
WHERE `state` = 'FILLING' AND `counted_to` > 0 AND EXISTS (SELECT 1 FROM `usage_unattributed`);
--> statement-breakpoint
DROP TABLE `usage_unattributed`;
