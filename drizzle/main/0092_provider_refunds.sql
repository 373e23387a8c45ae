CREATE TABLE `provider_refunds` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`connection_id` text NOT NULL,
	`receipt_id` text NOT NULL,
	`refund_receipt_id` text NOT NULL,
	`returned_receipt_ids` text NOT NULL,
	`payment_ref` text NOT NULL,
	`currency` text NOT NULL,
	`amount` text NOT NULL,
	`is_whole` integer NOT NULL,
	`reason` text,
	`state` text NOT NULL,
	`ref` text,
	`pending` integer NOT NULL,
	`key_number` integer NOT NULL,
	`key_since` integer,
	`failure` text,
	`started_at` integer NOT NULL,
	`due_at` integer,
	`ended_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`connection_id`) REFERENCES `provider_connections`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `provider_refunds_environment` ON `provider_refunds` (`environment_id`,`id`);--> statement-breakpoint
CREATE INDEX `provider_refunds_customer` ON `provider_refunds` (`environment_id`,`customer_id`,`id`);--> statement-breakpoint
CREATE INDEX `provider_refunds_receipt` ON `provider_refunds` (`environment_id`,`receipt_id`,`id`);--> statement-breakpoint
CREATE INDEX `provider_refunds_state` ON `provider_refunds` (`environment_id`,`state`,`id`);--> statement-breakpoint
CREATE INDEX `provider_refunds_due` ON `provider_refunds` (`due_at`) WHERE due_at IS NOT NULL;