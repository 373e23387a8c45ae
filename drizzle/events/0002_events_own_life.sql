CREATE TABLE `event_cancellations` (
	`id` integer PRIMARY KEY NOT NULL,
	`event` integer NOT NULL,
	`canceled_at` integer NOT NULL,
	`actor_id` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `event_cancellations_event` ON `event_cancellations` (`event`);