CREATE TABLE `erasures` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`actor_type` text NOT NULL,
	`actor_id` text NOT NULL,
	`requested_at` integer NOT NULL,
	`completed_at` integer,
	`step` text NOT NULL,
	`place` text NOT NULL,
	`erased` text NOT NULL,
	`certificate` text,
	`sha256` text,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `erasures_customer` ON `erasures` (`environment_id`,`customer_id`,`id`);