-- UUIDs of these tables become their 16 bytes (src/kernel/storage/packed-id.ts). Rows of the index are written in the order of its key.
CREATE TABLE `__new_audit_subjects` (
	`environment_id` text NOT NULL,
	`key` text NOT NULL,
	`entry_id` text NOT NULL,
	`entity_type` text NOT NULL,
	PRIMARY KEY(`environment_id`, `key`, `entry_id`, `entity_type`)
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_audit_subjects` (`environment_id`, `key`, `entry_id`, `entity_type`)
SELECT
	CASE WHEN environment_id GLOB '????????-????-????-????-????????????' AND environment_id = lower(environment_id) AND length(unhex(replace(environment_id, '-', ''))) = 16 THEN unhex(replace(environment_id, '-', '')) ELSE environment_id END AS packed_environment_id,
	CASE WHEN key GLOB '????????-????-????-????-????????????' AND key = lower(key) AND length(unhex(replace(key, '-', ''))) = 16 THEN unhex(replace(key, '-', '')) ELSE key END AS packed_key,
	CASE WHEN entry_id GLOB '????????-????-????-????-????????????' AND entry_id = lower(entry_id) AND length(unhex(replace(entry_id, '-', ''))) = 16 THEN unhex(replace(entry_id, '-', '')) ELSE entry_id END AS packed_entry_id,
	entity_type
FROM audit_subjects ORDER BY packed_environment_id, packed_key, packed_entry_id, entity_type;
--> statement-breakpoint
DROP TABLE `audit_subjects`;
--> statement-breakpoint
ALTER TABLE `__new_audit_subjects` RENAME TO `audit_subjects`;
--> statement-breakpoint
CREATE TABLE `__new_audit_personal` (
	`entry_id` text NOT NULL,
	`position` integer NOT NULL,
	`subject_id` text NOT NULL,
	`salt` text,
	`fields` text,
	`erased_at` integer,
	PRIMARY KEY(`entry_id`, `position`)
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_audit_personal` (`entry_id`, `position`, `subject_id`, `salt`, `fields`, `erased_at`)
SELECT
	CASE WHEN entry_id GLOB '????????-????-????-????-????????????' AND entry_id = lower(entry_id) AND length(unhex(replace(entry_id, '-', ''))) = 16 THEN unhex(replace(entry_id, '-', '')) ELSE entry_id END AS packed_entry_id,
	position,
	CASE WHEN subject_id GLOB '????????-????-????-????-????????????' AND subject_id = lower(subject_id) AND length(unhex(replace(subject_id, '-', ''))) = 16 THEN unhex(replace(subject_id, '-', '')) ELSE subject_id END,
	CASE WHEN salt GLOB '????????-????-????-????-????????????' AND salt = lower(salt) AND length(unhex(replace(salt, '-', ''))) = 16 THEN unhex(replace(salt, '-', '')) ELSE salt END,
	fields,
	erased_at
FROM audit_personal ORDER BY packed_entry_id, position;
--> statement-breakpoint
DROP TABLE `audit_personal`;
--> statement-breakpoint
ALTER TABLE `__new_audit_personal` RENAME TO `audit_personal`;
--> statement-breakpoint
DROP INDEX `outbox_events_feed`;
--> statement-breakpoint
DROP INDEX `outbox_events_customer`;
--> statement-breakpoint
UPDATE outbox_events SET
	environment_id = CASE WHEN environment_id GLOB '????????-????-????-????-????????????' AND environment_id = lower(environment_id) AND length(unhex(replace(environment_id, '-', ''))) = 16 THEN unhex(replace(environment_id, '-', '')) ELSE environment_id END,
	message_id = CASE WHEN message_id GLOB '????????-????-????-????-????????????' AND message_id = lower(message_id) AND length(unhex(replace(message_id, '-', ''))) = 16 THEN unhex(replace(message_id, '-', '')) ELSE message_id END,
	trace_id = CASE WHEN trace_id GLOB '????????-????-????-????-????????????' AND trace_id = lower(trace_id) AND length(unhex(replace(trace_id, '-', ''))) = 16 THEN unhex(replace(trace_id, '-', '')) ELSE trace_id END,
	entity_id = CASE WHEN entity_id GLOB '????????-????-????-????-????????????' AND entity_id = lower(entity_id) AND length(unhex(replace(entity_id, '-', ''))) = 16 THEN unhex(replace(entity_id, '-', '')) ELSE entity_id END;
--> statement-breakpoint
CREATE INDEX `outbox_events_feed` ON `outbox_events` (`environment_id`,`position`);
--> statement-breakpoint
CREATE INDEX `outbox_events_customer` ON `outbox_events` (`environment_id`,`customer_ref`,`position`) WHERE customer_ref IS NOT NULL;
