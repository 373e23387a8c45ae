-- Entries get serials and chains get numbers, to which the index of subjects refers. Hashes, and ids of older entries, become bytes
-- (src/kernel/storage/packed-id.ts). Rows are read and written in the order of their keys.
CREATE TABLE `__new_audit_entries` (
	`serial` integer PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`id` text NOT NULL,
	`sequence` integer NOT NULL,
	`account_id` text,
	`at` integer NOT NULL,
	`recorded_at` integer NOT NULL,
	`actor_type` text NOT NULL,
	`actor_id` text NOT NULL,
	`actor_name` text,
	`request_id` text,
	`address` text,
	`operation` text NOT NULL,
	`entity_type` text NOT NULL,
	`entity_id` text NOT NULL,
	`entity_ref` text,
	`changes` text NOT NULL,
	`changes_count` integer NOT NULL,
	`subjects` text NOT NULL,
	`hash` blob NOT NULL
);
--> statement-breakpoint
INSERT INTO `__new_audit_entries` (`serial`, `environment_id`, `id`, `sequence`, `account_id`, `at`, `recorded_at`, `actor_type`, `actor_id`, `actor_name`, `request_id`, `address`, `operation`, `entity_type`, `entity_id`, `entity_ref`, `changes`, `changes_count`, `subjects`, `hash`)
SELECT
	rowid,
	CASE WHEN environment_id GLOB '????????-????-????-????-????????????' AND environment_id = lower(environment_id) AND length(unhex(replace(environment_id, '-', ''))) = 16 THEN unhex(replace(environment_id, '-', '')) ELSE environment_id END AS packed_environment_id,
	id,
	sequence,
	account_id,
	at,
	recorded_at,
	actor_type,
	actor_id,
	actor_name,
	CASE WHEN request_id GLOB '????????-????-????-????-????????????' AND request_id = lower(request_id) AND length(unhex(replace(request_id, '-', ''))) = 16 THEN unhex(replace(request_id, '-', '')) ELSE request_id END AS packed_request_id,
	address,
	operation,
	entity_type,
	CASE WHEN entity_id GLOB '????????-????-????-????-????????????' AND entity_id = lower(entity_id) AND length(unhex(replace(entity_id, '-', ''))) = 16 THEN unhex(replace(entity_id, '-', '')) ELSE entity_id END AS packed_entity_id,
	entity_ref,
	changes,
	changes_count,
	subjects,
	coalesce(unhex(hash), CAST(hash AS blob))
FROM audit_entries ORDER BY rowid;
--> statement-breakpoint
DROP TABLE `audit_entries`;
--> statement-breakpoint
ALTER TABLE `__new_audit_entries` RENAME TO `audit_entries`;
--> statement-breakpoint
CREATE UNIQUE INDEX `audit_entries_chain` ON `audit_entries` (`environment_id`,`id`);
--> statement-breakpoint
CREATE TABLE `__new_audit_chains` (
	`number` integer PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`id` text NOT NULL,
	`sequence` integer NOT NULL,
	`hash` text NOT NULL,
	`sealed_sequence` integer DEFAULT 0 NOT NULL,
	`sealed_hash` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
INSERT INTO `__new_audit_chains` (`environment_id`, `id`, `sequence`, `hash`, `sealed_sequence`, `sealed_hash`)
SELECT CASE WHEN environment_id GLOB '????????-????-????-????-????????????' AND environment_id = lower(environment_id) AND length(unhex(replace(environment_id, '-', ''))) = 16 THEN unhex(replace(environment_id, '-', '')) ELSE environment_id END AS packed_environment_id, id, sequence, hash, sealed_sequence, sealed_hash
FROM audit_chains ORDER BY packed_environment_id;
--> statement-breakpoint
DROP TABLE `audit_chains`;
--> statement-breakpoint
ALTER TABLE `__new_audit_chains` RENAME TO `audit_chains`;
--> statement-breakpoint
CREATE UNIQUE INDEX `audit_chains_environment_id_unique` ON `audit_chains` (`environment_id`);
--> statement-breakpoint
CREATE TABLE `__new_audit_subjects` (
	`chain` integer NOT NULL,
	`key` text NOT NULL,
	`entry` integer NOT NULL,
	`entity_type` text NOT NULL,
	PRIMARY KEY(`chain`, `key`, `entry`, `entity_type`)
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_audit_subjects` (`chain`, `key`, `entry`, `entity_type`)
SELECT audit_chains.number, subjects.key, audit_entries.serial, subjects.entity_type
FROM audit_subjects AS subjects
CROSS JOIN audit_chains ON audit_chains.environment_id = subjects.environment_id
CROSS JOIN audit_entries ON audit_entries.environment_id = subjects.environment_id
	AND audit_entries.id = CASE typeof(subjects.entry_id) WHEN 'text' THEN subjects.entry_id ELSE lower(substr(hex(subjects.entry_id), 1, 8) || '-' || substr(hex(subjects.entry_id), 9, 4) || '-' || substr(hex(subjects.entry_id), 13, 4) || '-' || substr(hex(subjects.entry_id), 17, 4) || '-' || substr(hex(subjects.entry_id), 21, 12)) END
ORDER BY subjects.environment_id, subjects.key, subjects.entry_id, subjects.entity_type;
--> statement-breakpoint
DROP TABLE `audit_subjects`;
--> statement-breakpoint
ALTER TABLE `__new_audit_subjects` RENAME TO `audit_subjects`;
--> statement-breakpoint
CREATE INDEX `audit_entries_actor` ON `audit_entries` (`environment_id`,`actor_id`,`id`);
--> statement-breakpoint
CREATE INDEX `audit_entries_operation` ON `audit_entries` (`environment_id`,`operation`,`id`);
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS audit_entries_stay BEFORE UPDATE ON audit_entries BEGIN
	SELECT RAISE(ABORT, 'entries of the audit log are never changed');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS audit_entries_kept BEFORE DELETE ON audit_entries
WHEN OLD.sequence > (SELECT sealed_sequence FROM audit_chains WHERE environment_id = OLD.environment_id) BEGIN
	SELECT RAISE(ABORT, 'entries of the audit log are removed from its beginning only, once that is sealed');
END;
