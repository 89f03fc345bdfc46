% gives: A0620
initial('été').
