CREATE TABLE `deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`webhook_id` text NOT NULL,
	`position` integer NOT NULL,
	`message_id` text NOT NULL,
	`type` text NOT NULL,
	`status` text NOT NULL,
	`attempts` text NOT NULL,
	`next_attempt_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `deliveries_page` ON `deliveries` (`webhook_id`,`id`);--> statement-breakpoint
CREATE INDEX `deliveries_due` ON `deliveries` (`webhook_id`,`next_attempt_at`) WHERE next_attempt_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `delivery_cursors` (
	`webhook_id` text PRIMARY KEY NOT NULL,
	`position` integer NOT NULL,
	`failing_since` integer,
	`replay_sequence` integer DEFAULT 0 NOT NULL,
	`replay_position` integer
);
