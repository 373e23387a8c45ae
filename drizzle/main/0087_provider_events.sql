CREATE TABLE `provider_events` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`connection_id` text NOT NULL,
	`event_ref` text NOT NULL,
	`kind` text NOT NULL,
	`thing` text NOT NULL,
	`ref` text NOT NULL,
	`due_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`connection_id`) REFERENCES `provider_connections`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `provider_events_event` ON `provider_events` (`connection_id`,`event_ref`);--> statement-breakpoint
CREATE INDEX `provider_events_due` ON `provider_events` (`due_at`) WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `provider_events_object` ON `provider_events` (`connection_id`,`thing`,`ref`) WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `provider_events_age` ON `provider_events` (`created_at`);--> statement-breakpoint
CREATE INDEX `method_pages_ref` ON `method_pages` (`environment_id`,`connection_id`,`ref`);