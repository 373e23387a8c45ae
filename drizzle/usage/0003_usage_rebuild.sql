CREATE TABLE `usage_events_by_hour_next` (
	`subject_id` integer NOT NULL,
	`hour` integer NOT NULL,
	`first_event` integer NOT NULL,
	`offsets` blob NOT NULL,
	PRIMARY KEY(`subject_id`, `hour`, `first_event`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `usage_rebuild` (
	`id` integer PRIMARY KEY NOT NULL,
	`task_id` text NOT NULL,
	`index_state` text NOT NULL,
	`indexed_to` integer NOT NULL
);
--> statement-breakpoint
DROP INDEX `usage_counters_meter`;--> statement-breakpoint
CREATE INDEX `usage_counters_of_feature` ON `usage_counters` (`feature_id`,`meter_id`);