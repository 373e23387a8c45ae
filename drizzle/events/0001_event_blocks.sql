CREATE TABLE `event_blocks` (
	`first_event` integer PRIMARY KEY NOT NULL,
	`events` integer NOT NULL,
	`first_at` integer NOT NULL,
	`later` blob NOT NULL,
	`customers` blob NOT NULL,
	`facts` text NOT NULL,
	`keys` text NOT NULL,
	`fingerprints` blob NOT NULL
);
