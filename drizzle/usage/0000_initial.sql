CREATE TABLE `usage_counters` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`environment_id` text NOT NULL,
	`feature_id` text NOT NULL,
	`meter_id` text NOT NULL,
	`definition` text NOT NULL,
	`counted_to` integer NOT NULL,
	`state` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `usage_counters_meter` ON `usage_counters` (`feature_id`,`meter_id`);--> statement-breakpoint
CREATE TABLE `usage_cursor` (
	`id` integer PRIMARY KEY NOT NULL,
	`posted_to` integer NOT NULL,
	`revision` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `usage_members` (
	`counter_id` integer NOT NULL,
	`subject_id` integer NOT NULL,
	`span` integer NOT NULL,
	`bucket` integer NOT NULL,
	`value` text NOT NULL,
	`events` integer NOT NULL,
	PRIMARY KEY(`counter_id`, `subject_id`, `span`, `bucket`, `value`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `usage_postings` (
	`subject_id` integer NOT NULL,
	`hour` integer NOT NULL,
	`first_event` integer NOT NULL,
	`offsets` blob NOT NULL,
	PRIMARY KEY(`subject_id`, `hour`, `first_event`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `usage_subjects` (
	`id` integer PRIMARY KEY NOT NULL,
	`customer_id` text NOT NULL,
	`resource_ref` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `usage_subjects_name` ON `usage_subjects` (`customer_id`,`resource_ref`);--> statement-breakpoint
CREATE TABLE `usage_totals` (
	`counter_id` integer NOT NULL,
	`subject_id` integer NOT NULL,
	`span` integer NOT NULL,
	`bucket` integer NOT NULL,
	`events` integer NOT NULL,
	`state` text NOT NULL,
	PRIMARY KEY(`counter_id`, `subject_id`, `span`, `bucket`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `usage_unattributed` (
	`customer` integer NOT NULL,
	`event_id` integer NOT NULL,
	PRIMARY KEY(`customer`, `event_id`)
) WITHOUT ROWID;
