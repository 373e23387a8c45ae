CREATE TABLE `folder_secret` (
	`id` integer PRIMARY KEY NOT NULL,
	`hash` text NOT NULL
);
--> statement-breakpoint
ALTER TABLE `main_revision` ADD `commits` integer DEFAULT 0 NOT NULL;