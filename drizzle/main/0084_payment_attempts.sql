CREATE TABLE `attempt_invoices` (
	`attempt_id` text NOT NULL,
	`invoice_id` text NOT NULL,
	`environment_id` text NOT NULL,
	`amount` text NOT NULL,
	`is_open` integer NOT NULL,
	PRIMARY KEY(`attempt_id`, `invoice_id`),
	FOREIGN KEY (`attempt_id`) REFERENCES `attempts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `attempt_invoices_open` ON `attempt_invoices` (`invoice_id`) WHERE is_open = 1;--> statement-breakpoint
CREATE INDEX `attempt_invoices_invoice` ON `attempt_invoices` (`environment_id`,`invoice_id`,`attempt_id`);--> statement-breakpoint
CREATE TABLE `attempts` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`legal_entity_id` text NOT NULL,
	`connection_id` text NOT NULL,
	`method_id` text NOT NULL,
	`trigger` text NOT NULL,
	`currency` text NOT NULL,
	`amount` text NOT NULL,
	`description` text NOT NULL,
	`state` text NOT NULL,
	`ref` text,
	`pending` text,
	`key_number` integer NOT NULL,
	`key_since` integer,
	`is_cancel_wanted` integer NOT NULL,
	`received` text,
	`failure` text,
	`action_url` text,
	`receipt_id` text,
	`started_at` integer NOT NULL,
	`due_at` integer,
	`ended_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`connection_id`) REFERENCES `provider_connections`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`method_id`) REFERENCES `payment_methods`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `attempts_environment` ON `attempts` (`environment_id`,`id`);--> statement-breakpoint
CREATE INDEX `attempts_customer` ON `attempts` (`environment_id`,`customer_id`,`id`);--> statement-breakpoint
CREATE INDEX `attempts_state` ON `attempts` (`environment_id`,`state`,`id`);--> statement-breakpoint
CREATE INDEX `attempts_ref` ON `attempts` (`environment_id`,`connection_id`,`ref`) WHERE ref IS NOT NULL;--> statement-breakpoint
CREATE INDEX `attempts_due` ON `attempts` (`due_at`) WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `provider_calls` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`kind` text NOT NULL,
	`subject_id` text NOT NULL,
	`request` text,
	`cause` text NOT NULL,
	`outcome` text,
	`due_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `provider_calls_due` ON `provider_calls` (`due_at`) WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `provider_calls_age` ON `provider_calls` (`environment_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `provider_connections` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`legal_entity_ref_id` text,
	`mode` text NOT NULL,
	`account` text NOT NULL,
	`sealed_secret` text NOT NULL,
	`sealed_webhook_secret` text,
	`former_sealed_webhook_secret` text,
	`former_until` integer,
	`archived_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `provider_connections_page` ON `provider_connections` (`environment_id`,`id`);--> statement-breakpoint
CREATE TABLE `payment_methods` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`connection_id` text NOT NULL,
	`ref` text NOT NULL,
	`customer_ref` text NOT NULL,
	`kind` text NOT NULL,
	`brand` text,
	`last4` text,
	`expires_month` integer,
	`expires_year` integer,
	`country` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`connection_id`) REFERENCES `provider_connections`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `payment_methods_ref` ON `payment_methods` (`environment_id`,`connection_id`,`ref`);--> statement-breakpoint
CREATE INDEX `payment_methods_customer` ON `payment_methods` (`environment_id`,`customer_id`,`id`);--> statement-breakpoint
CREATE TABLE `method_pages` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`connection_id` text NOT NULL,
	`state` text NOT NULL,
	`ref` text NOT NULL,
	`customer_ref` text,
	`url` text NOT NULL,
	`expires_at` integer NOT NULL,
	`due_at` integer,
	`opened_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`connection_id`) REFERENCES `provider_connections`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `method_pages_customer` ON `method_pages` (`environment_id`,`customer_id`,`id`);--> statement-breakpoint
CREATE INDEX `method_pages_due` ON `method_pages` (`due_at`) WHERE due_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `invoices` ADD `collection_method` text;