CREATE TABLE `usage_recent_hours` (
	`subject_id` integer NOT NULL,
	`up_to` integer NOT NULL,
	`hour` integer NOT NULL,
	`first_event` integer NOT NULL,
	`offsets` blob NOT NULL,
	`came` text NOT NULL,
	PRIMARY KEY(`subject_id`, `up_to`, `hour`)
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `usage_cursor` ADD `shown_to` integer DEFAULT 0 NOT NULL;