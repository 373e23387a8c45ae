CREATE TABLE `provider_disputes` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`connection_id` text NOT NULL,
	`ref` text NOT NULL,
	`payment_ref` text NOT NULL,
	`problem` text,
	`due_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`connection_id`) REFERENCES `provider_connections`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `provider_disputes_ref` ON `provider_disputes` (`connection_id`,`ref`);--> statement-breakpoint
CREATE INDEX `provider_disputes_due` ON `provider_disputes` (`due_at`) WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `provider_disputes_environment` ON `provider_disputes` (`environment_id`,`id`);