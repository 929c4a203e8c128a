module example.com/dam

go 1.19
