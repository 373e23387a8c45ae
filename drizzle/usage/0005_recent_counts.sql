CREATE TABLE `usage_recent` (
	`up_to` integer PRIMARY KEY NOT NULL,
	`hours` text NOT NULL
);
