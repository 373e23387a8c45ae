CREATE TABLE `invoice_renders` (
	`sequence` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`environment_id` text NOT NULL,
	`invoice_id` text NOT NULL,
	`revision` integer NOT NULL,
	`task_id` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`rendered_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`bytes` blob NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invoice_renders_revision` ON `invoice_renders` (`environment_id`,`invoice_id`,`revision`);--> statement-breakpoint
CREATE INDEX `invoice_renders_size` ON `invoice_renders` (`sequence`,`size_bytes`);--> statement-breakpoint
CREATE INDEX `invoice_renders_expiry` ON `invoice_renders` (`environment_id`,`expires_at`);