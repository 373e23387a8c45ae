CREATE TABLE `direct_debit_creditors` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`legal_entity_id` text NOT NULL,
	`creditor_id` text NOT NULL,
	`format` text NOT NULL,
	`lead_days` integer NOT NULL,
	`batch_booking` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`legal_entity_id`) REFERENCES `legal_entities`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `direct_debit_creditors_entity` ON `direct_debit_creditors` (`environment_id`,`legal_entity_id`);--> statement-breakpoint
CREATE TABLE `direct_debit_files` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`legal_entity_id` text NOT NULL,
	`task_id` text NOT NULL,
	`state` text NOT NULL,
	`format` text NOT NULL,
	`creditor` text NOT NULL,
	`collect_until` text NOT NULL,
	`earliest_on` text NOT NULL,
	`debits_count` integer NOT NULL,
	`total` text NOT NULL,
	`groups` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`legal_entity_id`) REFERENCES `legal_entities`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `direct_debit_files_making` ON `direct_debit_files` (`legal_entity_id`) WHERE state = 'MAKING';--> statement-breakpoint
CREATE INDEX `direct_debit_files_environment` ON `direct_debit_files` (`environment_id`,`id`);--> statement-breakpoint
CREATE TABLE `direct_debits` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`legal_entity_id` text NOT NULL,
	`mandate_id` text NOT NULL,
	`invoice_id` text NOT NULL,
	`amount` text NOT NULL,
	`description` text NOT NULL,
	`state` text NOT NULL,
	`is_open` integer NOT NULL,
	`collection_on` text NOT NULL,
	`announcement` text NOT NULL,
	`sequence` text,
	`file_id` text,
	`file_group` text,
	`receipt_id` text,
	`return_id` text,
	`return_code` text,
	`returned_on` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`ended_at` integer,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`mandate_id`) REFERENCES `mandates`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `direct_debits_open` ON `direct_debits` (`invoice_id`) WHERE is_open = 1;--> statement-breakpoint
CREATE INDEX `direct_debits_environment` ON `direct_debits` (`environment_id`,`id`);--> statement-breakpoint
CREATE INDEX `direct_debits_customer` ON `direct_debits` (`environment_id`,`customer_id`,`id`);--> statement-breakpoint
CREATE INDEX `direct_debits_invoice` ON `direct_debits` (`environment_id`,`invoice_id`,`id`);--> statement-breakpoint
CREATE INDEX `direct_debits_mandate` ON `direct_debits` (`mandate_id`,`state`,`id`);--> statement-breakpoint
CREATE INDEX `direct_debits_state` ON `direct_debits` (`environment_id`,`state`,`id`);--> statement-breakpoint
CREATE INDEX `direct_debits_planned` ON `direct_debits` (`legal_entity_id`,`collection_on`,`id`) WHERE state = 'PLANNED';--> statement-breakpoint
CREATE INDEX `direct_debits_in_file` ON `direct_debits` (`file_id`,`file_group`,`id`) WHERE state = 'IN_FILE';--> statement-breakpoint
CREATE INDEX `direct_debits_file` ON `direct_debits` (`file_id`,`file_group`,`id`) WHERE file_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `mandates` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`legal_entity_id` text NOT NULL,
	`reference` text NOT NULL,
	`creditor_id` text NOT NULL,
	`scheme` text NOT NULL,
	`kind` text NOT NULL,
	`state` text NOT NULL,
	`iban` text,
	`bic` text,
	`debtor_name` text NOT NULL,
	`debtor_address` text,
	`signed_on` text NOT NULL,
	`last_collected_on` text,
	`stop_code` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`legal_entity_id`) REFERENCES `legal_entities`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `mandates_reference` ON `mandates` (`environment_id`,`reference`);--> statement-breakpoint
CREATE INDEX `mandates_environment` ON `mandates` (`environment_id`,`id`);--> statement-breakpoint
CREATE INDEX `mandates_customer` ON `mandates` (`environment_id`,`customer_id`,`id`);