CREATE TABLE `usage_recent` (
	`up_to` integer PRIMARY KEY NOT NULL,
	`after` integer NOT NULL,
	`subjects` blob NOT NULL,
	`hours` blob NOT NULL,
	`came` text NOT NULL,
	`events` blob NOT NULL,
	`event_ends` blob NOT NULL
);
