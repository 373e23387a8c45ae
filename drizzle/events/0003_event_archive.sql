CREATE TABLE `event_archived_blocks` (
	`first_event` integer PRIMARY KEY NOT NULL,
	`events` integer NOT NULL,
	`last_at` integer NOT NULL,
	`archive` integer NOT NULL,
	`offset` integer NOT NULL,
	`bytes` integer NOT NULL,
	`last_fingerprint` blob NOT NULL
);
--> statement-breakpoint
CREATE TABLE `event_archives` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`day` integer NOT NULL,
	`bytes` integer NOT NULL,
	`sha256` text NOT NULL,
	`is_whole` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `event_archives_name_unique` ON `event_archives` (`name`);