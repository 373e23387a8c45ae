CREATE TABLE `audit_chains` (
	`environment_id` text PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`sequence` integer NOT NULL,
	`hash` text NOT NULL,
	`sealed_sequence` integer DEFAULT 0 NOT NULL,
	`sealed_hash` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE `audit_entries` (
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
	`hash` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `audit_entries_chain` ON `audit_entries` (`environment_id`,`id`);--> statement-breakpoint
CREATE INDEX `audit_entries_actor` ON `audit_entries` (`environment_id`,`actor_id`,`id`);--> statement-breakpoint
CREATE INDEX `audit_entries_operation` ON `audit_entries` (`environment_id`,`operation`,`id`);--> statement-breakpoint
CREATE TABLE `audit_personal` (
	`entry_id` text NOT NULL,
	`position` integer NOT NULL,
	`subject_id` text NOT NULL,
	`salt` text,
	`fields` text,
	`erased_at` integer,
	PRIMARY KEY(`entry_id`, `position`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `audit_subjects` (
	`environment_id` text NOT NULL,
	`key` text NOT NULL,
	`entry_id` text NOT NULL,
	`entity_type` text NOT NULL,
	PRIMARY KEY(`environment_id`, `key`, `entry_id`, `entity_type`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS audit_entries_stay BEFORE UPDATE ON audit_entries BEGIN
	SELECT RAISE(ABORT, 'entries of the audit log are never changed');
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS audit_entries_kept BEFORE DELETE ON audit_entries
WHEN OLD.sequence > (SELECT sealed_sequence FROM audit_chains WHERE environment_id = OLD.environment_id) BEGIN
	SELECT RAISE(ABORT, 'entries of the audit log are removed from its beginning only, once that is sealed');
END;
