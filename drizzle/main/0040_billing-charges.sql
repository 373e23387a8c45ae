CREATE TABLE `billing_charges` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`owner_kind` text NOT NULL,
	`owner_id` text NOT NULL,
	`key` text NOT NULL,
	`terms` text,
	`starts_at` integer NOT NULL,
	`ends_at` integer,
	`interval` text,
	`anchor_at` integer NOT NULL,
	`time_zone` text DEFAULT 'UTC' NOT NULL,
	`proration_mode` text NOT NULL,
	`payment_time` text NOT NULL,
	`billed_until` integer,
	`usage_events` integer,
	`usage_meter_id` text,
	`replaced_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `billing_charges_owner` ON `billing_charges` (`owner_id`,`key`);--> statement-breakpoint
CREATE UNIQUE INDEX `billing_charges_current` ON `billing_charges` (`owner_id`,`key`) WHERE replaced_at IS NULL;--> statement-breakpoint
CREATE TABLE `charge_credits` (
	`charge_id` text NOT NULL,
	`starts_at` integer NOT NULL,
	`revision` integer NOT NULL,
	`from_at` integer NOT NULL,
	`to_at` integer NOT NULL,
	`environment_id` text NOT NULL,
	`rated` text NOT NULL,
	`credit_note_id` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`charge_id`, `starts_at`, `revision`, `from_at`),
	FOREIGN KEY (`charge_id`) REFERENCES `billing_charges`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`credit_note_id`) REFERENCES `credit_notes`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `charge_periods` (
	`charge_id` text NOT NULL,
	`starts_at` integer NOT NULL,
	`revision` integer NOT NULL,
	`ends_at` integer NOT NULL,
	`environment_id` text NOT NULL,
	`state` text NOT NULL,
	`rated` text NOT NULL,
	`usage_quantity` text,
	`usage_events` integer,
	`invoice_id` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`charge_id`, `starts_at`, `revision`),
	FOREIGN KEY (`charge_id`) REFERENCES `billing_charges`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`invoice_id`) REFERENCES `invoices`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `charge_periods_invoice` ON `charge_periods` (`invoice_id`);