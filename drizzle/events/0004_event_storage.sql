CREATE TABLE `event_stored_identities` (
	`first_event` integer PRIMARY KEY NOT NULL,
	`fingerprints` blob NOT NULL,
	`checks` blob NOT NULL
);
--> statement-breakpoint
ALTER TABLE `event_archives` ADD `stored_in` text;