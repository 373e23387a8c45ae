CREATE TABLE `usage_segments` (
	`id` integer PRIMARY KEY NOT NULL,
	`subject_id` integer NOT NULL,
	`name` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `usage_segments_name` ON `usage_segments` (`subject_id`,`name`);