CREATE TABLE `event_replaced_objects` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`day` integer NOT NULL,
	`bytes` integer NOT NULL,
	`sha256` text NOT NULL,
	`stored_in` text NOT NULL,
	`replaced_at` integer NOT NULL,
	`delete_at` integer NOT NULL
);
