CREATE TABLE `outbox_events` (
	`position` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`environment_id` text NOT NULL,
	`message_id` text NOT NULL,
	`trace_id` text NOT NULL,
	`type` text NOT NULL,
	`entity_id` text NOT NULL,
	`actor_type` text NOT NULL,
	`payload` text NOT NULL,
	`at` integer NOT NULL,
	`recorded_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `outbox_events_feed` ON `outbox_events` (`environment_id`,`position`);--> statement-breakpoint
CREATE TABLE `webhook_replays` (
	`sequence` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`webhook_id` text NOT NULL,
	`first_position` integer NOT NULL,
	`last_position` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhook_replays_of` ON `webhook_replays` (`webhook_id`,`sequence`);--> statement-breakpoint
CREATE INDEX `webhook_replays_kept` ON `webhook_replays` (`created_at`);--> statement-breakpoint
CREATE TABLE `webhooks` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`endpoint` text NOT NULL,
	`description` text,
	`event_types` text NOT NULL,
	`configuration` text NOT NULL,
	`status` text NOT NULL,
	`sends_secret` integer NOT NULL,
	`secret_version` integer NOT NULL,
	`former_secret_until` integer,
	`from_position` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhooks_page` ON `webhooks` (`environment_id`,`id`);