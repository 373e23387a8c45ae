ALTER TABLE `entities` ADD `approver` text;--> statement-breakpoint
ALTER TABLE `customer_sessions` ADD `request_id` text;