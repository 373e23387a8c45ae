CREATE TABLE `budget_requests` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`assignment_id` text NOT NULL,
	`amount` text NOT NULL,
	`approved_amount` text,
	`counter_id` integer,
	`reason` text,
	`duration` text NOT NULL,
	`status` text NOT NULL,
	`requested_by` text NOT NULL,
	`next_due_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`assignment_id`) REFERENCES `budget_assignments`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `budget_requests_page` ON `budget_requests` (`customer_id`,`id`);--> statement-breakpoint
CREATE INDEX `budget_requests_of_budget` ON `budget_requests` (`assignment_id`,`status`);--> statement-breakpoint
CREATE INDEX `budget_requests_due` ON `budget_requests` (`environment_id`,`next_due_at`) WHERE next_due_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `budget_counters` ADD `raised` text DEFAULT '0' NOT NULL;