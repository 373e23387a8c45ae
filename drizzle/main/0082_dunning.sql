CREATE TABLE `dunning_cases` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`invoice_id` text NOT NULL,
	`legal_entity_id` text NOT NULL,
	`policy_id` text NOT NULL,
	`policy_source` text,
	`state` text NOT NULL,
	`reminders` text NOT NULL,
	`end_action` text NOT NULL,
	`end_after_days` integer NOT NULL,
	`round` integer NOT NULL,
	`anchor_day` integer NOT NULL,
	`position` integer NOT NULL,
	`suspended_at` integer,
	`suspension` text,
	`suspended_until` integer,
	`note` text,
	`end_reason` text,
	`ended_at` integer,
	`problem` text,
	`next_due_at` integer,
	`started_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`invoice_id`) REFERENCES `invoices`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`policy_id`) REFERENCES `dunning_policies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dunning_cases_invoice` ON `dunning_cases` (`environment_id`,`invoice_id`);--> statement-breakpoint
CREATE INDEX `dunning_cases_customer` ON `dunning_cases` (`customer_id`,`id`);--> statement-breakpoint
CREATE INDEX `dunning_cases_page` ON `dunning_cases` (`environment_id`,`id`);--> statement-breakpoint
CREATE INDEX `dunning_cases_state` ON `dunning_cases` (`environment_id`,`state`,`id`);--> statement-breakpoint
CREATE INDEX `dunning_cases_due` ON `dunning_cases` (`environment_id`,`next_due_at`,`customer_id`,`legal_entity_id`,`id`) WHERE next_due_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `dunning_mails` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`legal_entity_id` text NOT NULL,
	`recipient` text,
	`kind` text NOT NULL,
	`language` text NOT NULL,
	`subject` text NOT NULL,
	`body` text NOT NULL,
	`status` text NOT NULL,
	`at` integer NOT NULL,
	`sent_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `dunning_mails_customer` ON `dunning_mails` (`environment_id`,`customer_id`,`id`);--> statement-breakpoint
CREATE TABLE `dunning_steps` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`case_id` text NOT NULL,
	`round` integer NOT NULL,
	`position` integer NOT NULL,
	`kind` text NOT NULL,
	`days` integer NOT NULL,
	`outcome` text NOT NULL,
	`mail_id` text,
	`at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`case_id`) REFERENCES `dunning_cases`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dunning_steps_once` ON `dunning_steps` (`case_id`,`round`,`position`);--> statement-breakpoint
CREATE INDEX `dunning_steps_mail` ON `dunning_steps` (`mail_id`) WHERE mail_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `customer_dunning` (
	`customer_id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`policy_id` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`policy_id`) REFERENCES `dunning_policies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `dunning_policies` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`ref_id` text NOT NULL,
	`display_name` text NOT NULL,
	`reminders` text NOT NULL,
	`end_action` text NOT NULL,
	`end_after_days` integer NOT NULL,
	`texts` text NOT NULL,
	`is_default` integer NOT NULL,
	`legal_entity_ids` text NOT NULL,
	`plan_ids` text NOT NULL,
	`archived_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dunning_policies_ref` ON `dunning_policies` (`environment_id`,`ref_id`);--> statement-breakpoint
CREATE INDEX `dunning_policies_page` ON `dunning_policies` (`environment_id`,`id`);--> statement-breakpoint
CREATE INDEX `dunning_policies_active` ON `dunning_policies` (`environment_id`,`id`) WHERE archived_at IS NULL;